/** What can be done with a block or a group, and with the phase it stands in. */
import { Problem } from '../../api/problem';
import { t } from '../../i18n/index.svelte';
import { studioPath } from '../../router';
import { attempt } from '../../state/attempt';
import { dialogs } from '../../state/dialogs.svelte';
import { page } from '../../state/route.svelte';
import { sayProblem } from '../../state/say';
import { toasts } from '../../state/toasts.svelte';
import { moveToTrash, type Deletable } from '../../state/trash';
import type { MenuGroups, MenuItem } from '../../ui/Menu.svelte';
import { show, type Tree } from '../dialogs';
import { copyBlock, deleteBlock, moveBlock, restoreBlock } from '../server';
import type { Block, BlockKind, Phase, Room } from '../types';
import { childrenOf, parentOf } from './tree';

/** The blocks of a project on a page of this workspace. */
export interface TreeOnPage extends Tree {
  room: Room;
  /** Shows one that was just made, before all of them are asked for again. */
  add: (block: Block) => void;
}

/** A new block or group: at the top of a phase, or in a group. */
export function additions(here: TreeOnPage, { code }: Pick<Phase, 'code'>, parentId: string | null = null): MenuItem[] {
  const add = (blockKind: BlockKind) => () => show({ what: 'newBlock', place: here.place, blockKind, phase: code, parentId, open: (block) => open(here, block) });
  return [
    { label: t('block.add'), icon: 'plus', run: add('block') },
    { label: t('block.addGroup'), icon: 'folder', run: add('group') },
  ];
}

export function blockItems(here: TreeOnPage, block: Block): MenuGroups {
  const isGroup = block.kind === 'group';
  const among = siblingsOf(here, block);
  const at = among.findIndex(({ id }) => id === block.id);
  const change: MenuItem[] = [
    { label: t('block.rename'), icon: 'pencil', run: () => show({ what: 'renameBlock', place: here.place, block }) },
    ...(isGroup ? [] : [{ label: t('block.dependencies'), icon: 'link', run: () => show({ what: 'dependencies', tree: here, block }) } satisfies MenuItem]),
    { label: t('block.copy'), icon: 'copy', run: () => void copy(here, block) },
  ];
  const move: MenuItem[] = [
    ...(at > 0 ? [{ label: t('block.up'), icon: 'arrow-up', run: () => void moveBy(here, block, -1) } satisfies MenuItem] : []),
    ...(at < among.length - 1 ? [{ label: t('block.down'), icon: 'arrow-down', run: () => void moveBy(here, block, 1) } satisfies MenuItem] : []),
    { label: t('block.move'), icon: 'corner-down-right', run: () => show({ what: 'moveBlock', tree: here, block }) },
  ];
  return [isGroup ? additions(here, { code: block.phase }, block.id) : [], change, move, [{ label: t('block.delete'), icon: 'trash-2', danger: true, run: () => void remove(here, block) }]];
}

/** Up or down among those it stands with; nothing at the end. */
export async function moveBy(here: TreeOnPage, block: Block, steps: number): Promise<void> {
  const among = siblingsOf(here, block);
  const position = among.findIndex(({ id }) => id === block.id) + steps;
  if (position < 0 || position >= among.length) return;
  await attempt(() => moveBlock(placeOf(here, block), { parentId: parentOf(block, here.blocks)?.id ?? null, phase: block.phase, position }), 'project');
}

/** Asks first where blocks that stay depend on it. */
export async function remove(here: TreeOnPage, block: Block): Promise<void> {
  try {
    await moveToTrash(deletable(here, block, false));
  } catch (cause) {
    const problem = Problem.of(cause);
    if (problem.code !== 'blockNeeded') return sayProblem(cause);
    const text = t('block.neededText', { names: problem.list('names') });
    dialogs.confirm({ title: t('block.neededTitle', { name: block.name }), text, action: t('block.deleteAnyway'), run: () => moveToTrash(deletable(here, block, true)) });
  }
}

async function copy(here: TreeOnPage, block: Block): Promise<void> {
  let made: Block | undefined;
  await attempt(async () => void (made = await copyBlock(placeOf(here, block))), 'project');
  if (!made) return;
  const { name } = made;
  const remove = deletable(here, made, true);
  toasts.show(t('block.copied', { name }), { action: { label: t('action.undo'), run: () => void moveToTrash(remove).catch(sayProblem) } });
  open(here, made);
}

/** The page of a block; without an id, of all of them. */
export const pathTo = ({ room, place }: TreeOnPage, id?: string): string => studioPath(room.slug, place.projectId, id);

/** In the editor, which a group has none of. */
function open(here: TreeOnPage, block: Block): void {
  here.add(block);
  if (block.kind === 'block') page.go(pathTo(here, block.id));
}

function deletable(here: TreeOnPage, block: Block, force: boolean): Deletable {
  const at = placeOf(here, block);
  // With a group goes what is in it, also the block that is open.
  const isOpenInside = here.blocks.some((one) => page.path === pathTo(here, one.id) && isBelow(one, block, here.blocks));
  return { kind: 'project', name: block.name, path: isOpenInside ? page.path : pathTo(here, block.id), listPath: pathTo(here), remove: () => deleteBlock(at, force), restore: () => restoreBlock(at) };
}

function isBelow(block: Block, group: Block, blocks: readonly Block[]): boolean {
  const parent = parentOf(block, blocks);
  return parent !== undefined && (parent.id === group.id || isBelow(parent, group, blocks));
}

const siblingsOf = ({ blocks }: Tree, block: Block) => childrenOf(blocks, parentOf(block, blocks)?.id ?? null, block.phase);

const placeOf = ({ place }: Tree, { id }: Block) => ({ ...place, blockId: id });
