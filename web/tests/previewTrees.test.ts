/** Trees of the preview: contents of documents, members of archives; and taking members out. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../src/lib/api/problem';
import { TakeOut } from '../src/lib/preview/takeOut.svelte';
import { allKeys, currentRow, filesUnder, memberTree, nested, outlineOf, rowsOf } from '../src/lib/preview/tree';
import type { Member, Structure } from '../src/lib/preview/types';

const member = (path: string, size = 1, isFolder = false): Member => ({ path, size, isFolder, encrypted: false, index: 0, opens: false });
const compare = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });
const structure = (more: Partial<Structure>): Structure => ({ kind: 'pdf', toc: [], sections: [], pageMap: [], sheets: [], slides: [], counts: {}, properties: {}, notes: [], ...more });
const shape = (rows: { text: string; level: number }[]) => rows.map(({ text, level }) => `${'-'.repeat(level)}${text}`);

describe('contents', () => {
  const entries = [['One', 1, 1], ['One A', 3, 2], ['One B', 2, 4], ['Two', 1, 9]].map(([text, level, page]) => ({ text: String(text), level: Number(level), value: { page: Number(page) } }));
  const tree = nested(entries);

  it('are a tree even where levels leap', () => {
    expect(shape(rowsOf(tree, allKeys(tree)))).toEqual(['-One', '--One A', '--One B', '-Two']);
    expect(shape(rowsOf(tree, new Set()))).toEqual(['-One', '-Two']);
  });

  it('tell places among siblings', () => {
    expect(rowsOf(tree, allKeys(tree)).map(({ position, siblings }) => `${position}/${siblings}`)).toEqual(['1/2', '1/2', '2/2', '2/2']);
  });

  it('mark the last heading at or before the page that is read, of those that can be seen', () => {
    expect(currentRow(rowsOf(tree, allKeys(tree)), { page: 5 })).toBe(2);
    expect(currentRow(rowsOf(tree, new Set()), { page: 5 })).toBe(0);
    expect(currentRow(rowsOf(tree, new Set()), { page: 400 })).toBe(1);
    expect(currentRow([], { page: 1 })).toBe(-1);
  });

  it('come from sections, else from the table of contents, else from slides', () => {
    const section = { id: 's1', title: 'S', level: 1, startPage: 4 };
    const toc = [{ title: 'T', level: 1, pageIndex: 0 }];
    expect(outlineOf(structure({ sections: [section], toc }), () => '')[0]).toMatchObject({ text: 'S', value: { section: 's1', page: 5 } });
    expect(outlineOf(structure({ toc }), () => '')[0]).toMatchObject({ text: 'T', value: { page: 1 } });
    const slide = { slideIndex: 2, title: '', textLength: 0, hasImages: false, hidden: true };
    expect(outlineOf(structure({ slides: [slide] }), () => 'Slide 3')[0]).toMatchObject({ text: 'Slide 3', value: { slide: 3, hidden: true } });
  });

  it('mark the section, or the nearest above it when it is folded', () => {
    const sections = [{ id: 's1', title: 'a', level: 1 }, { id: 's1.1', title: 'b', level: 2 }, { id: 's2', title: 'c', level: 1 }];
    const outline = outlineOf(structure({ sections }), () => '');
    expect(currentRow(rowsOf(outline, allKeys(outline)), { section: 's1.1' })).toBe(1);
    expect(currentRow(rowsOf(outline, new Set()), { section: 's1.1' })).toBe(0);
  });
});

describe('the tree of an archive', () => {
  const tree = memberTree([member('b.txt', 5), member('docs/', 0, true), member('docs/10.txt', 2), member('docs/2.txt', 3), member('x/y/z.pdf', 7)], compare);

  it('has folders first, also those nobody names, sorted as people count', () => {
    expect(shape(rowsOf(tree, allKeys(tree)))).toEqual(['-docs', '--2.txt', '--10.txt', '-x', '--y', '---z.pdf', '-b.txt']);
  });

  it('sums sizes and files', () => {
    expect(tree.map(({ text, value }) => [text, value.size, value.files])).toEqual([['docs', 5, 2], ['x', 7, 1], ['b.txt', 5, 1]]);
  });

  it('shows what is searched for and the way to it, even when folded', () => {
    expect(shape(rowsOf(tree, new Set(), ({ value }) => value.path.includes('z.pdf')))).toEqual(['-x', '--y', '---z.pdf']);
  });

  it('names every file below what was chosen, once', () => {
    expect(filesUnder(tree, new Set(['docs', 'docs/2.txt']))).toEqual(['docs/2.txt', 'docs/10.txt']);
    expect(filesUnder(tree, new Set(), true)).toHaveLength(4);
    expect(filesUnder(tree, new Set())).toEqual([]);
  });

  it('is built of ten thousand members', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => member(`f${index % 100}/d${index % 7}/${index}.txt`));
    const built = memberTree(many, compare);
    expect([built.length, built.reduce((sum, { value }) => sum + value.files, 0)]).toEqual([100, 10_000]);
  });
});

describe('taking members out', () => {
  const paths = Array.from({ length: 60 }, (_, index) => `${index}.txt`);
  const place = { fileId: 'f' };

  it('asks for some at a time, and tells how far it is', async () => {
    const asked: number[] = [];
    const work: TakeOut = new TakeOut(place, paths, async (_, some) => (asked.push(some.length, work.done), { items: [] }));
    await work.run('folder');
    expect(asked).toEqual([25, 0, 25, 25, 10, 50]);
    expect([work.status, work.done]).toEqual(['done', 60]);
  });

  it('goes on where it failed', async () => {
    let fails = true;
    const taken: string[] = [];
    const work: TakeOut = new TakeOut(place, paths, async (_, some) => {
      if (fails && some[0] === '25.txt') throw new Problem('quotaExceeded', '');
      taken.push(...some);
      return { items: [] };
    });
    await work.run(undefined);
    expect([work.status, work.done, work.problem?.code]).toEqual(['failed', 25, 'quotaExceeded']);
    fails = false;
    await work.run(undefined);
    expect([work.status, taken]).toEqual(['done', paths]);
  });

  it('ends when it is told to, and says so', async () => {
    const work: TakeOut = new TakeOut(place, paths, async (_place, _paths, _folder, signal) => {
      work.cancel();
      expect(signal.aborted).toBe(true);
      return { items: [] };
    });
    await work.run(undefined);
    expect([work.status, work.done]).toEqual(['ended', 0]);
  });
});
