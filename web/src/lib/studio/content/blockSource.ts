/** How the text of a block is read and stored. */
import type { TextSource } from '../../editing/writing.svelte';
import { askBlock, writeBlock } from '../server';
import type { BlockPlace, BlockStatus, BlockText } from '../types';

const LARGEST_BYTES = 300_000;

export const blockSource = (place: BlockPlace): TextSource<BlockText, BlockStatus> => ({
  key: `blockDraft.${place.blockId}`,
  kind: 'project',
  changedCode: 'blockChanged',
  most: { bytes: LARGEST_BYTES, code: 'blockTooLong' },
  ask: (signal) => askBlock(place, signal),
  write: (version, text, status) => writeBlock(place, version, text, status),
});
