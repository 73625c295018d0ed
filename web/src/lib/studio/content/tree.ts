/** The tree of a project's blocks as it stands on the page: its rows, siblings, and where a block can go. Pure. */
import type { Block, Phase } from '../types';

/** Groups stand at most so deep in each other. */
const DEEPEST = 5;

export interface TreeRow {
  /** Of a block, or of a phase. */
  id: string;
  name: string;
  /** 1: a phase. */
  level: number;
  phase: Phase;
  /** None: it is the phase itself. */
  block: Block | undefined;
  /** How many stand directly in it; none has a block with a text. */
  children: number;
  isOpen: boolean;
  place: number;
  siblings: number;
}

export const rowIdOf = (phase: Pick<Phase, 'code'>): string => `phase ${phase.code}`;

/** The group a block is in; undefined: at the top of its phase. */
export const parentOf = (block: Block, blocks: readonly Block[]): Block | undefined => blocks.find(({ id }) => id === block.parentId);

/** Those in a group, or at the top of a phase, in their order. */
export function childrenOf(blocks: readonly Block[], parentId: string | null, phase: string): readonly Block[] {
  return byParent(blocks).get(parentId ?? phase) ?? [];
}

/** What is on the screen: phases, and what is in those that are open. Phases that are hidden and empty are left out. */
export function rowsOf(roadmap: readonly Phase[], blocks: readonly Block[], closed: ReadonlySet<string>): TreeRow[] {
  const inside = byParent(blocks);
  const rows: TreeRow[] = [];
  const add = (row: Omit<TreeRow, 'isOpen'>, key: string) => {
    const isOpen = row.children > 0 && !closed.has(row.id);
    rows.push({ ...row, isOpen });
    const children = isOpen ? inside.get(key)! : [];
    children.forEach((block, index) => {
      const { id, name } = block;
      add({ id, name, level: row.level + 1, phase: row.phase, block, children: inside.get(id)?.length ?? 0, place: index + 1, siblings: children.length }, id);
    });
  };
  const phases = roadmap.filter(({ code, hidden }) => !hidden || inside.has(code));
  phases.forEach((phase, index) => {
    const children = inside.get(phase.code)?.length ?? 0;
    add({ id: rowIdOf(phase), name: phase.name, level: 1, phase, block: undefined, children, place: index + 1, siblings: phases.length }, phase.code);
  });
  return rows;
}

/** The rows that have to be open for a block to be in sight. */
export function above(block: Block, blocks: readonly Block[]): string[] {
  const parent = parentOf(block, blocks);
  return parent ? [parent.id, ...above(parent, blocks)] : [rowIdOf({ code: block.phase })];
}

/** The names of the groups a block is in, from the outside in. */
export function pathOf(block: Block, blocks: readonly Block[]): string[] {
  const parent = parentOf(block, blocks);
  return parent ? [...pathOf(parent, blocks), parent.name] : [];
}

export interface Destination {
  parentId: string | null;
  phase: string;
  name: string;
  /** 0: a phase. */
  depth: number;
}

/** Where a block can go: to the top of every phase that is not hidden, and into every group but itself and what is in it, as deep
 * as groups may stand in each other. */
export function destinationsOf(block: Block, roadmap: readonly Phase[], blocks: readonly Block[]): Destination[] {
  const inside = byParent(blocks);
  const found: Destination[] = [];
  const height = heightOf(block, inside);
  const add = (group: Block, depth: number) => {
    if (group.id === block.id || group.kind !== 'group') return;
    if (depth + height <= DEEPEST) found.push({ parentId: group.id, phase: group.phase, name: group.name, depth });
    for (const one of inside.get(group.id) ?? []) add(one, depth + 1);
  };
  for (const { code, name, hidden } of roadmap) {
    if (hidden) continue;
    found.push({ parentId: null, phase: code, name, depth: 0 });
    for (const one of inside.get(code) ?? []) add(one, 1);
  }
  return found;
}

/** By the id of their group, or by the code of their phase where they are in none. */
function byParent(blocks: readonly Block[]): ReadonlyMap<string, readonly Block[]> {
  const known = new Set(blocks.map(({ id }) => id));
  const found = new Map<string, Block[]>();
  for (const block of blocks) {
    const key = block.parentId !== null && known.has(block.parentId) ? block.parentId : block.phase;
    found.set(key, [...(found.get(key) ?? []), block]);
  }
  return found;
}

/** How many groups stand in each other, with itself. */
function heightOf(block: Block, inside: ReadonlyMap<string, readonly Block[]>): number {
  if (block.kind !== 'group') return 0;
  return 1 + Math.max(0, ...(inside.get(block.id) ?? []).map((one) => heightOf(one, inside)));
}
