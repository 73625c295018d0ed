/** The logic of the preview: what is in sight, where text lies, cells, trees, addresses. */
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../src/lib/preview/lines';
import { crumbs, filePath, looksLikeContainer, readQuery, targetOf, writeQuery } from '../src/lib/preview/place';
import { rowsInSight, Stack } from '../src/lib/preview/stack';
import { addTo, cellsOf, columnLetters, columnNumber, columnWidths, emptyGrid, isNumeric, parseTable, sliceOf } from '../src/lib/preview/tables';
import { around, imageWidth, placed } from '../src/lib/preview/textLayer';
import { viewOf } from '../src/lib/preview/view';
import type { ContentObject, Structure } from '../src/lib/preview/types';

const table = (location: string, text: string, rows: number): ContentObject => ({ sequence: 0, contentType: 'text', text, ref: { location }, metadata: { table: true, rows } });

describe('a stack of pages', () => {
  const stack = (count: number, estimate = 1000, gap = 10) => Object.assign(new Stack(estimate, gap), { count });

  it('has room for all of them, and draws those in sight and one more on each side', () => {
    const pages = stack(619);
    expect(pages.total).toBe(619 * 1010 - 10);
    expect(pages.span(399 * 1010 + 200, 700)).toEqual({ first: 398, end: 401 });
    expect(pages.span(0, 700)).toEqual({ first: 0, end: 2 });
    expect(pages.span(pages.total - 700, 700)).toEqual({ first: 617, end: 619 });
    expect(stack(0).span(0, 700)).toEqual({ first: 0, end: 0 });
  });

  it('keeps what is read in its place when pages above turn out to be higher', () => {
    const pages = stack(50);
    const anchor = pages.anchor(10 * 1010 + 300);
    expect(anchor).toEqual({ index: 10, offset: 300 });
    pages.learn(3, 1500);
    pages.learn(12, 200);
    expect(pages.offset(anchor)).toBe(10 * 1010 + 300 + 500);
    expect(pages.at(pages.offset(anchor))).toBe(10);
  });

  it('takes no notice of a measure that says nothing new', () => {
    const pages = stack(3);
    expect(pages.learn(0, 1000.2)).toBe(false);
    expect(pages.learn(0, 900)).toBe(true);
    expect(pages.learn(7, 900)).toBe(false);
  });

  it('grows as a whole when somebody zooms', () => {
    const pages = stack(4);
    pages.learn(1, 500);
    pages.scale(2);
    expect([pages.height(0), pages.height(1), pages.top(2)]).toEqual([2000, 1000, 3020]);
  });

  it('forgets the heights of parts that are gone', () => {
    const pages = stack(4);
    pages.learn(3, 10);
    pages.count = 3;
    pages.count = 4;
    expect(pages.height(3)).toBe(1000);
  });

  it('finds the rows in sight of a list of any length', () => {
    expect(rowsInSight(0, 320, 32, 1400, 4)).toEqual({ first: 0, end: 14 });
    expect(rowsInSight(32 * 700, 320, 32, 1400, 4)).toEqual({ first: 696, end: 714 });
    expect(rowsInSight(99_999, 320, 32, 20, 4)).toEqual({ first: 16, end: 20 });
  });
});

describe('the text over a page', () => {
  const measure = (text: string) => text.length * 0.5;

  it('stretches every line to the width it has on the page', () => {
    const [line] = placed([{ text: 'Hello page', x: 10, y: 20, width: 86, height: 10 }], measure);
    expect(line).toMatchObject({ x: 10, y: 20, size: 8.6 });
    expect(line!.stretch * measure('Hello page') * line!.size).toBeCloseTo(86);
  });

  it('leaves out what is nothing, and does not stretch what is written upwards', () => {
    const lines = [{ text: '  ', x: 0, y: 0, width: 5, height: 5 }, { text: 'x', x: 0, y: 0, width: 0, height: 5 }, { text: 'arXiv:1234', x: 0, y: 0, width: 10, height: 300 }];
    const found = placed(lines, measure);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ stretch: 1, size: 8.6 });
  });

  it('knows the box around several', () => {
    expect(around([{ x: 5, y: 10, width: 10, height: 5 }, { x: 0, y: 15, width: 8, height: 5 }])).toEqual({ x: 0, y: 10, width: 15, height: 10 });
    expect(around([])).toBeUndefined();
  });

  it('asks for pictures in steps, never beyond what the server draws', () => {
    expect([imageWidth(350, 3), imageWidth(812, 1), imageWidth(10, 1), imageWidth(2000, 2)]).toEqual([1000, 1000, 200, 3000]);
  });
});

describe('tables', () => {
  it('become cells again, with bars and backslashes as they were', () => {
    expect(cellsOf('| a | b \\| c | d\\\\e |  |')).toEqual(['a', 'b | c', 'd\\e', '']);
    expect(parseTable('| a | b |\n| --- | --- |\n| 1 | 2 |')).toEqual([['a', 'b'], ['1', '2']]);
    expect(parseTable('| --- | --- |\n| --- | --- |\n| x | y |')).toEqual([['---', '---'], ['x', 'y']]);
  });

  it('are put where they lie on their sheet, the repeated header left out', () => {
    const grid = emptyGrid();
    addTo(grid, table('sheet:Q4/rows:1-3', '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |', 3));
    addTo(grid, table('sheet:Q4/rows:4-5', '| a | b |\n| --- | --- |\n| 5 | 6 |\n| 7 | 8 |', 2));
    expect([grid.height, grid.width, grid.exact]).toEqual([5, 2, true]);
    expect([...grid.rows.entries()].map(([number, row]) => [number, ...row.values()])).toEqual([[1, 'a', 'b'], [2, '1', '2'], [3, '3', '4'], [4, '5', '6'], [5, '7', '8']]);
  });

  it('may lie beside each other', () => {
    const grid = emptyGrid();
    addTo(grid, table('sheet:A/rows:2-3/columns:C-D', '| x | y |\n| --- | --- |\n| 1 | 2 |', 2));
    addTo(grid, { ...table('sheet:A/rows:1-1', 'Title', 1), metadata: {} });
    expect(grid.rows.get(3)?.get(4)).toBe('2');
    expect(grid.rows.get(1)?.get(1)).toBe('Title');
    expect(grid.width).toBe(4);
  });

  it('say so when rows were left out and their numbers are not known', () => {
    const grid = emptyGrid();
    addTo(grid, table('sheet:A/rows:1-9', '| a |\n| --- |\n| 1 |\n| 2 |', 3));
    expect([grid.exact, grid.height, grid.rows.get(9)?.get(1)]).toEqual([false, 9, '2']);
  });

  it('name columns as spreadsheets do', () => {
    expect([1, 26, 27, 702, 703].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
    for (const number of [1, 26, 27, 702, 703, 16384]) expect(columnNumber(columnLetters(number))).toBe(number);
  });

  it('read a place on a sheet whose name has slashes', () => {
    expect(sliceOf('sheet:a/b/rows:5-9/columns:AA-AC')).toEqual({ first: 5, last: 9, column: 27 });
    expect(sliceOf('rows:201-400')).toEqual({ first: 201, last: 400, column: 1 });
    expect(sliceOf('sheet:x/image:1')).toBeUndefined();
  });

  it('give columns the room their words need, within bounds', () => {
    const grid = emptyGrid();
    addTo(grid, table('rows:1-2', `| a | ${'long '.repeat(40)}|\n| --- | --- |\n| 中文字符中文字符 | b |`, 2));
    const [first, second] = columnWidths(grid, 2);
    expect(second).toBe(300);
    expect(first).toBeGreaterThan(120);
  });

  it.each([['1’234.50', true], ['-3 %', true], ['12,5', true], ['2024-01-02', false], ['A1', false], ['', false]])('know a number: %s', (text, numeric) => {
    expect(isNumeric(text)).toBe(numeric);
  });
});

describe('an address', () => {
  it('says which file and where in it, and is read back', () => {
    const path = filePath('my room', { fileId: 'f1', inside: 'docs/a b.pdf' }, { page: 47, q: 'x&y' });
    expect(path).toBe('/i/my%20room/files/f1?inside=docs/a+b.pdf&page=47&q=x%26y');
    expect(readQuery(path.slice(path.indexOf('?')))).toEqual({ inside: 'docs/a b.pdf', target: { page: 47, q: 'x&y' } });
  });

  it('says which file lies beside a conversation', () => {
    expect(writeQuery({ file: 'f1', inside: 'a.txt' }, { page: 2 })).toBe('?file=f1&inside=a.txt&page=2');
    expect(readQuery('?file=f1&page=2')).toEqual({ file: 'f1', target: { page: 2 } });
  });

  it('ignores what is no page', () => {
    expect(readQuery('?page=-3&slide=x&version=1.5')).toEqual({ target: {} });
    expect(readQuery(`?quote=${'words '.repeat(100_000)}`).target.quote).toHaveLength(1_000);
    expect(writeQuery({}, {})).toBe('');
  });

  it.each([
    ['page:47/region:top', { page: 47 }],
    ['slide:3', { slide: 3 }],
    ['section:s1.2/paragraph:4', { section: 's1.2' }],
    ['sheet:a/b/rows:1-200', { sheet: 'a/b' }],
    ['sheet:Q4', { sheet: 'Q4' }],
    ['whole', {}],
  ])('leads to the part that was found: %s', (part, target) => expect(targetOf(part)).toEqual(target));

  it('shows the way through archives and folders', () => {
    expect(crumbs('a.zip', 'docs/inner.zip/x/report.pdf', looksLikeContainer)).toEqual([
      { name: 'a.zip', inside: undefined },
      { name: 'docs', inside: undefined },
      { name: 'inner.zip', inside: 'docs/inner.zip' },
      { name: 'x', inside: 'docs/inner.zip' },
      { name: 'report.pdf', inside: 'docs/inner.zip/x/report.pdf' },
    ]);
    expect(crumbs('a.pdf', undefined, looksLikeContainer)).toEqual([{ name: 'a.pdf', inside: undefined }]);
  });
});

describe('a text of many lines', () => {
  it('comes in blocks whose numbers go on', () => {
    const blocks = blocksOf('a\r\nb\nc\n', 2);
    expect(blocks).toEqual([
      { first: 1, count: 2, text: 'a\nb\n', numbers: '1\n2' },
      { first: 3, count: 1, text: 'c\n', numbers: '3' },
    ]);
    expect(blocksOf('')).toEqual([]);
  });
});

describe('how a file is shown', () => {
  const structure = (kind: string, more: Partial<Structure> = {}): Structure => ({ kind, toc: [], sections: [], pageMap: [], sheets: [], slides: [], counts: {}, properties: {}, notes: [], ...more });
  const reading = (mediaType: string, found: Structure | null = null, more = {}) => ({ mediaType, isContainer: false, isText: false, structure: found, ...more });

  it.each([
    ['application/pdf', structure('pdf', { pages: 3 }), 'pages'],
    ['text/csv', structure('csv'), 'grid'],
    ['application/x', structure('xlsx', { sheets: [{ name: 'a', rows: 1, columns: 1, hidden: false }] }), 'grid'],
    ['application/y', structure('pptx', { slides: [{ slideIndex: 0, title: '', textLength: 0, hasImages: false, hidden: false }] }), 'slides'],
    ['message/rfc822', structure('mail'), 'mail'],
    ['image/tiff', structure('image', { pages: 2 }), 'image'],
    ['image/svg+xml', null, 'code'],
    ['text/markdown', structure('markdown'), 'flow'],
    ['text/x-python', structure('text'), 'code'],
    ['application/json', structure('json'), 'code'],
    ['application/vnd.oasis.opendocument.text', structure('odt'), 'flow'],
    ['audio/mpeg', structure('audio'), 'audio'],
    ['application/octet-stream', null, 'none'],
  ])('%s', (mediaType, found, view) => expect(viewOf(reading(mediaType, found))).toBe(view));

  it('is a tree for archives, and a card for what cannot be read', () => {
    expect(viewOf(reading('application/x-empty', structure('empty')))).toBe('none');
    expect(viewOf(reading('application/zip', null, { isContainer: true }))).toBe('tree');
    expect(viewOf(reading('application/pdf', null, { problem: { code: 'documentEncrypted', message: '' } }))).toBe('none');
  });
});
