import { describe, expect, it } from 'vitest';
import { changesOf, compare, merged } from '../src/lib/diff/lines';

const all = () => true;
const none = () => false;

describe('the difference between two texts', () => {
  it('is the lines that went and the lines that came', () => {
    expect(compare('a\nb\nc\nd', 'a\nB\nc\nd\ne')).toEqual([
      { kind: 'same', lines: ['a'] },
      { kind: 'change', removed: ['b'], added: ['B'] },
      { kind: 'same', lines: ['c', 'd'] },
      { kind: 'change', removed: [], added: ['e'] },
    ]);
  });

  it('is nothing between equal texts', () => {
    expect(changesOf(compare('a\nb\n', 'a\nb\n'))).toEqual([]);
  });

  it('keeps what is common, however it is mixed', () => {
    expect(changesOf(compare('one\ntwo\nthree', 'zero\none\nthree\nfour'))).toEqual([
      { kind: 'change', removed: [], added: ['zero'] },
      { kind: 'change', removed: ['two'], added: [] },
      { kind: 'change', removed: [], added: ['four'] },
    ]);
  });

  it('of any two texts leads from one to the other, and back', () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 400; round += 1) {
      const text = () => Array.from({ length: random(14) }, () => 'abc'[random(3)]).join('\n');
      const [before, after] = [text(), text()];
      const pieces = compare(before, after);
      expect([merged(pieces, none), merged(pieces, all)]).toEqual([before, after]);
    }
  });

  it('of texts that have nothing in common is one change', () => {
    const lines = (word: string) => Array.from({ length: 3_000 }, (_, number) => `${word} ${number}`).join('\n');
    const pieces = compare(lines('old'), lines('new'));
    expect(pieces).toHaveLength(1);
    expect(merged(pieces, all)).toBe(lines('new'));
  });

  it('can be taken in part', () => {
    const pieces = compare('a\nb\nc\nd\n', 'A\nb\nc\nD\n');
    expect(merged(pieces, (change) => change === 1)).toBe('a\nb\nc\nD\n');
  });
});
