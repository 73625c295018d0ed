import { describe, expect, it } from 'vitest';
import { rank, score } from '../src/lib/fuzzy';

const texts = ['People', 'API tokens', 'New API token', 'Theme: Dark', 'Theme: Light', 'Über Workroom', '工作区'];
const found = (query: string) => rank(query, texts, (text) => text);

describe('fuzzy match', () => {
  it('takes letters in order, wherever they are', () => {
    expect(found('ppl')).toEqual(['People']);
    expect(score('lpp', 'People')).toBeNull();
  });

  it('prefers word starts', () => {
    expect(found('nat')[0]).toBe('New API token');
    expect(found('th da')[0]).toBe('Theme: Dark');
  });

  it('prefers letters in a row', () => {
    expect(score('token', 'API tokens')!).toBeGreaterThan(score('token', 'to make one')!);
  });

  it('ignores case and accents', () => {
    expect(found('uber')).toEqual(['Über Workroom']);
    expect(found('ÜBER')).toEqual(['Über Workroom']);
  });

  it('finds other scripts', () => {
    expect(found('工区')).toEqual(['工作区']);
  });

  it('shows everything, in order, when nothing is typed', () => {
    expect(found('  ')).toEqual(texts);
  });

  it('finds nothing where nothing is', () => {
    expect(found('xyz')).toEqual([]);
  });
});
