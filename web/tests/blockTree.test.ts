/** The tree of a project's blocks: its rows, and where a block can go. */
import { describe, expect, it } from 'vitest';
import { above, childrenOf, destinationsOf, pathOf, rowsOf } from '../src/lib/studio/content/tree';
import type { Block, Phase } from '../src/lib/studio/types';

const phase = (code: string, hidden = false) => ({ code, name: code.toUpperCase(), hidden }) as Phase;
const PHASES = [phase('one'), phase('two'), phase('hidden', true), phase('used', true)];
const block = (id: string, place: Partial<Block> = {}) => ({ id, name: id, kind: 'block', phase: 'one', parentId: null, ...place }) as Block;
const group = (id: string, place: Partial<Block> = {}) => block(id, { kind: 'group', ...place });
// As the server lists them: each group before what is in it.
const BLOCKS = [block('intro'), group('g'), block('a', { parentId: 'g' }), group('h', { parentId: 'g' }), block('b', { parentId: 'h' }), block('orphan', { parentId: 'gone' }), block('last', { phase: 'used' })];
const by = (id: string) => BLOCKS.find((one) => one.id === id)!;
const lines = (closed: string[] = []) => rowsOf(PHASES, BLOCKS, new Set(closed)).map(({ level, name }) => `${'-'.repeat(level)}${name}`);

describe('the tree of blocks', () => {
  it('has every phase that is not hidden and empty, and all that is in it', () => {
    expect(lines()).toEqual(['-ONE', '--intro', '--g', '---a', '---h', '----b', '--orphan', '-TWO', '-USED', '--last']);
  });

  it('leaves out what is in something closed', () => {
    expect(lines(['h', 'phase used'])).toEqual(['-ONE', '--intro', '--g', '---a', '---h', '--orphan', '-TWO', '-USED']);
    expect(lines(['phase one'])).toEqual(['-ONE', '-TWO', '-USED', '--last']);
  });

  it('says where a row stands, for those who hear it', () => {
    const row = rowsOf(PHASES, BLOCKS, new Set()).find(({ id }) => id === 'h')!;
    expect([row.level, row.place, row.siblings, row.children, row.isOpen]).toEqual([3, 2, 2, 1, true]);
  });

  it('knows what has to be open for a block to be in sight, and the way to it', () => {
    expect(above(by('b'), BLOCKS)).toEqual(['h', 'g', 'phase one']);
    expect(pathOf(by('b'), BLOCKS)).toEqual(['g', 'h']);
    expect(childrenOf(BLOCKS, null, 'one').map(({ id }) => id)).toEqual(['intro', 'g', 'orphan']);
  });

  it('moves a block to phases that are shown, and into groups', () => {
    expect(destinationsOf(by('intro'), PHASES, BLOCKS).map(({ name, depth }) => `${depth}${name}`)).toEqual(['0ONE', '1g', '2h', '0TWO']);
  });

  it('moves no group into itself, and none deeper than groups may stand', () => {
    expect(destinationsOf(by('g'), PHASES, BLOCKS).map(({ name }) => name)).toEqual(['ONE', 'TWO']);
    const deep = ['1', '2', '3', '4', '5'].map((id, index) => group(id, { parentId: index > 0 ? String(index) : null }));
    const other = group('other', { phase: 'two' });
    const names = (moved: Block) => destinationsOf(moved, PHASES, [...deep, other, block('x', { phase: 'two' })]).map(({ name }) => name);
    expect(names(other)).toEqual(['ONE', '1', '2', '3', '4', 'TWO']);
    expect(names(block('x', { phase: 'two' }))).toEqual(['ONE', '1', '2', '3', '4', '5', 'TWO', 'other']);
  });
});
