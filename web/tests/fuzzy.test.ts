import { describe, expect, it } from 'vitest';
import { rank, score } from '../src/lib/fuzzy';

const texts = ['People', 'API tokens', 'New API token', 'Theme: Dark', 'Theme: Light', 'Über Workroom', '工作区'];
const found = (query: string) => rank(query, texts, (text) => [text]);

describe('fuzzy match', () => {
  it('takes the beginnings of words, in order', () => {
    expect(found('nat')).toEqual(['New API token']);
    expect(found('th da')).toEqual(['Theme: Dark']);
    expect(found('newtok')).toEqual(['New API token']);
    expect(score('tan', 'New API token')).toBeNull();
  });

  it('does not collect letters from inside of words', () => {
    expect(score('mia', 'Theme: Light Appearance')).toBeNull();
    expect(score('ppl', 'People')).toBeNull();
  });

  it('tries a later word when an earlier one leads nowhere', () => {
    expect(score('tok', 'The API token')).not.toBeNull();
  });

  it('takes a part of a word too, but prefers its beginning', () => {
    expect(found('oken')).toEqual(['API tokens', 'New API token']);
    expect(score('light', 'Theme: Light')!).toBeGreaterThan(score('light', 'Highlights')!);
  });

  it('prefers letters in a row', () => {
    expect(score('token', 'API tokens')!).toBeGreaterThan(score('token', 'to open keys every night')!);
  });

  it('ignores case and accents', () => {
    expect(found('uber')).toEqual(['Über Workroom']);
    expect(found('ÜBER')).toEqual(['Über Workroom']);
  });

  it('finds other scripts', () => {
    expect(found('工区')).toEqual(['工作区']);
  });

  it('finds what is also called so, after what is called so', () => {
    const commands = [['Profile', 'Password', 'Rename'], ['Rename organisation'], ['About']];
    expect(rank('rena', commands, (command) => command)).toEqual([commands[1], commands[0]]);
    expect(rank('passw', commands, (command) => command)).toEqual([commands[0]]);
  });

  it('shows everything, in order, when nothing is typed', () => {
    expect(found('  ')).toEqual(texts);
  });

  it('finds nothing where nothing is', () => {
    expect(found('xyz')).toEqual([]);
  });
});
