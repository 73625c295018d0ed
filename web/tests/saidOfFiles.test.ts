import { beforeAll, describe, expect, it } from 'vitest';
import { callText } from '../src/lib/chat/attach/calls';
import { chipsOf } from '../src/lib/chat/attach/chips';
import { numberRanges } from '../src/lib/chat/attach/numberRanges';
import { openingIn } from '../src/lib/chat/attach/opening';
import type { DocumentPlace } from '../src/lib/chat/attach/placeWords';
import { newActions } from '../src/lib/chat/newActions';
import { fill } from '../src/lib/i18n/format';
import { i18n } from '../src/lib/i18n/index.svelte';
import later from '../src/lib/i18n/later/en.json';
import { blank, type RunView } from '../src/lib/run/reduce';
import { shippedTexts } from './toolTexts';

beforeAll(() => {
  i18n.messages = later;
});

describe('chips of a message', () => {
  const text = (place: Partial<DocumentPlace>, opens: object) => ({ kind: 'text' as const, place: at(place), opens: { fileId: 'r', ...opens } });
  const at = (place: Partial<DocumentPlace>): DocumentPlace => ({ kind: 'file', path: '', numbers: [], recognised: false, ...place });

  it.each([
    [{ kind: 'page', numbers: [47], path: 'report.pdf' }, { page: 47 }, 'report.pdf', 'page 47'],
    [{ kind: 'page', numbers: [3, 4, 5, 9], path: 'A/Minutes of May.pdf' }, { page: 3 }, 'Minutes of May.pdf', 'pages 3–5, 9'],
    [{ kind: 'page', numbers: [3, 4], title: 'Of mice', path: 'report.pdf' }, { page: 3 }, 'report.pdf', '“Of mice”, pages 3–4'],
    [{ kind: 'slide', numbers: [2], path: 'talk.pptx' }, { slide: 2 }, 'talk.pptx', 'slide 2'],
    [{ kind: 'slide', numbers: [2, 3], path: 'talk.pptx' }, { slide: 2 }, 'talk.pptx', 'slides 2–3'],
    [{ kind: 'sheet', sheet: 'Q4 of all', path: 'Minutes of May.xlsx' }, { sheet: 'Q4 of all' }, 'Minutes of May.xlsx', 'sheet Q4 of all'],
    [{ kind: 'section', section: 's2.1', title: 'Of mice', path: 'book.epub' }, { section: 's2.1' }, 'book.epub', '“Of mice”'],
    [{ kind: 'title', title: 'Windows', path: 'offer.eml' }, {}, 'offer.eml', '“Windows”'],
    [{ kind: 'title', title: 'Windows', piece: 2, pieces: 3, path: 'offer.md' }, {}, 'offer.md', '“Windows”, part 2 of 3'],
    [{ kind: 'file', path: 'archive.zip/docs/a.pdf' }, { inside: 'docs/a.pdf' }, 'a.pdf', undefined],
    [{ kind: 'named', title: 'entry 4 of the register' }, {}, 'entry 4 of the register', undefined],
  ] as [Partial<DocumentPlace>, object, string, string | undefined][])('say what was read: %j', (place, opens, name, detail) => {
    expect(chipsOf({ materials: [text(place, opens)] })).toEqual([{ name, detail, opening: { fileId: 'r', ...opens } }]);
  });

  it('name a file once that was attached and read', () => {
    const files = [{ fileId: 'r', name: 'report.pdf' }, { fileId: 'o', name: 'other.pdf' }];
    const chips = chipsOf({ files, materials: [text({ kind: 'page', numbers: [4], path: 'report.pdf' }, { page: 4 })] });
    expect(chips.map(({ name, detail }) => [name, detail])).toEqual([['other.pdf', undefined], ['report.pdf', 'page 4']]);
  });

  it('name a place once, however many of its passages were read', () => {
    const section = (id: string, title: string) => text({ kind: 'section', section: id, title, path: 'book.epub' }, { section: id });
    const chips = chipsOf({ materials: [section('s2', 'Second'), section('s3', 'Third'), section('s2', 'Second')] });
    expect(chips.map(({ detail }) => detail)).toEqual(['“Second”', '“Third”']);
  });

  it('keep remarks apart, and say what could not be read', () => {
    const outline = { kind: 'outline' as const, place: at({ path: 'report.pdf' }), opens: { fileId: 'r' } };
    const remark = { kind: 'note' as const, place: at({ path: 'report.pdf' }), opens: { fileId: 'r' } };
    expect(chipsOf({ materials: [outline, remark] })).toHaveLength(1);
    expect(chipsOf({ materials: [remark] })).toHaveLength(1);
    const unknown = { kind: 'note' as const, place: at({ path: 'nothing.pdf' }), opens: null };
    expect(chipsOf({ materials: [unknown] })).toEqual([{ name: 'nothing.pdf', missing: true, detail: 'not read' }]);
    expect(chipsOf({ files: [{ fileId: 'n', name: 'nothing.pdf' }], materials: [unknown] })).toEqual([{ name: 'nothing.pdf', opening: { fileId: 'n' } }]);
    expect(chipsOf({ materials: [{ kind: 'listing', place: at({ path: 'A/Reports/' }), opens: null }] })).toEqual([{ name: 'Reports/' }]);
  });
});

describe('a call of a file tool', () => {
  const texts = shippedTexts('en');
  const of = (tool: string, given: Record<string, unknown>) => callText({ tool, arguments: given, result: null }, texts[tool]);

  it.each([
    ['readFile', {}, 'Read {file}', {}],
    ['readFile', { page: 47 }, 'Read page {page} of {file}', { page: 47 }],
    ['readContentObjects', { filter: { pageIndex: [46] } }, 'Read page {page} of {file}', { page: 47 }],
    ['readContentObjects', { filter: { pageIndex: [2, 3, 8] } }, 'Read pages {pages} of {file}', { page: 3 }],
    ['readContentObjects', { filter: { slide: 2 } }, 'Read slide {slide} of {file}', { slide: 2 }],
    ['readContentObjects', { filter: { sheet: 'Q4' } }, 'Read sheet “{sheet}” of {file}', { sheet: 'Q4' }],
    ['readContentObjects', { filter: { section: 'Summary' } }, 'Read section “{section}” of {file}', {}],
    ['readSection', { sectionId: 's1.2' }, 'Read section “{section}” of {file}', { section: 's1.2' }],
    ['extractContent', { mode: 'ocr', page: 3 }, 'Recognise the text in {file}', { page: 3 }],
    ['extractContent', { mode: 'table', location: 'page:5/table:1' }, 'Read tables of {file}', { page: 5 }],
    ['extractContent', { mode: 'text', location: 'slide:5' }, 'Read slide {slide} of {file}', { slide: 5 }],
    ['extractContent', { mode: 'text', location: 'page:5' }, 'Read page {page} of {file}', { page: 5 }],
    ['browseContainer', {}, 'Look into {file}', {}],
    ['summarizeContent', {}, 'Sum up {file}', {}],
    ['analyzeContent', { page: 2 }, 'Look at {file}', { page: 2 }],
    ['moveFile', { folder: 'A' }, 'Move {file} to {folder}', {}],
    ['tagFile', { add: ['x'], remove: ['y'] }, 'Tag {file}: {tags}', {}],
  ])('is said, with its place: %s %j', (tool, given, text, target) => {
    const described = of(tool, { fileId: 'report.pdf', ...given });
    expect([described?.text, described?.file]).toEqual([text, { ref: 'report.pdf', inside: undefined, target }]);
    const left = fill(described!.text, described!.params).match(/\{\w+\}/g);
    expect(left).toEqual(['{file}']);
  });

  it('knows what lies in an archive', () => {
    expect(of('saveContainerItem', { fileId: 'a.zip', path: 'docs/b.pdf' })?.file).toEqual({ ref: 'a.zip', inside: 'docs/b.pdf', target: {} });
    expect(of('readFile', { fileId: 'a.zip', inside: 'b.pdf', page: 2 })?.file).toEqual({ ref: 'a.zip', inside: 'b.pdf', target: { page: 2 } });
  });

  it('may be about many files, or one that is yet to be', () => {
    expect(of('listFiles', {})).toEqual({ text: 'List files', params: {} });
    expect(of('listFiles', { folder: 'A' })).toEqual({ text: 'List files in {folder}', params: { folder: 'A' } });
    expect(of('listFiles', { pattern: '*.pdf', tags: ['x'] })).toEqual({ text: 'Look for files: {query}', params: { query: '*.pdf x' } });
    expect(of('searchFiles', { query: 'heat' })).toEqual({ text: 'Search in files for “{query}”', params: { query: 'heat' } });
    const result = { status: 'ok' as const, message: '', untrusted: false, private: false, files: [{ fileId: 'n', name: 'new.md', version: 1 }] };
    expect(callText({ tool: 'writeFile', arguments: { name: 'new.md' }, result }, texts['writeFile'])?.file?.ref).toBe('n');
    expect(of('writeFile', { name: 'new.md' })?.file?.ref).toBe('new.md');
  });

  it('is left as it is when it makes no sense, or has no text', () => {
    expect([of('readFile', {}), of('readFile', { fileId: 3 }), of('writeNote', { title: 'a' }), of('searchFiles', {})]).toEqual([undefined, undefined, undefined, undefined]);
    expect(callText({ tool: 'readFile', arguments: { fileId: 'a' }, result: null }, undefined)).toBeUndefined();
  });

  it('of a plugin has its own text, filled with its arguments', () => {
    const roll = (activity: string, given: Record<string, unknown>) => callText({ tool: 'rollDice', arguments: given, result: null }, { label: 'rolls', confirmation: '', activity });
    expect(roll('Roll {count} dice for {name}', { count: 0, name: 'Ann' })).toEqual({ text: 'Roll {count} dice for {name}', params: { count: 0, name: 'Ann' } });
    expect(roll('Roll', {})).toEqual({ text: 'Roll', params: {} });
    expect(roll('Roll for {file}', { fileId: 'a.txt' })?.file).toEqual({ ref: 'a.txt', inside: undefined, target: {} });
    expect([roll('Roll for {name}', {}), roll('Roll for {name}', { name: ['x'] }), roll('Roll for {file}', {}), roll('', {})]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('counts pages as people do', () => {
    expect(numberRanges([9, 3, 4, 5, 4])).toBe('3–5, 9');
  });
});

describe('actions to the page', () => {
  const requested = (seq: number) => ({ seq, messageId: null, action: { type: 'openFile', payload: { fileId: `${seq}` } } });
  const runView = (seq: number, ...actions: number[]): RunView => ({ ...blank('r'), seq, actions: actions.map(requested) });
  const ids = (...given: Parameters<typeof newActions>) => newActions(...given).map(({ payload }) => payload?.['fileId']);

  it('are performed when they are requested', () => {
    expect(ids(runView(3), runView(6, 2, 4, 5), false)).toEqual(['4', '5']);
    expect(ids(runView(0), runView(6, 2), true)).toEqual(['2']);
  });

  it('are not performed by pages that read of them later', () => {
    expect(ids(runView(0), runView(6, 2, 4), false)).toEqual([]);
    expect(ids(undefined, runView(6, 2, 4), false)).toEqual([]);
    expect(ids(runView(6, 2, 4), runView(7, 2, 4), true)).toEqual([]);
  });

  it('name a place, or nothing', () => {
    expect(openingIn({ fileId: 'a', page: 3, inside: null, sheet: 7 })).toEqual({ fileId: 'a', page: 3 });
    expect(openingIn({ page: 3 })).toBeUndefined();
  });
});
