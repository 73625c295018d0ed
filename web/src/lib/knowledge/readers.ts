/** Who can read a file. Pure. */
import type { StoredFile } from '../api/types';

export const READERS = ['me', 'owner', 'workspace', 'everybody'] as const;
export type Readers = (typeof READERS)[number];

/** Whoever sees all files sees private ones of others, too. */
export function readersOf({ visibility, ownerId }: Pick<StoredFile, 'visibility' | 'ownerId'>, userId: string | undefined): Readers {
  if (visibility === 'MY') return ownerId === userId ? 'me' : 'owner';
  return visibility === 'GROUP' ? 'workspace' : 'everybody';
}
