import { describe, expect, it } from 'vitest';
import type { StoredFile } from '../src/lib/api/types';
import { asRead } from '../src/lib/knowledge/asRead';
import { exampleIn } from '../src/lib/knowledge/example';
import { facetsOf, grouped, keyOf } from '../src/lib/knowledge/groups';
import { readersOf } from '../src/lib/knowledge/readers';
import { languageName } from '../src/lib/knowledge/languages';
import { excerpt, pieces, spansOf } from '../src/lib/knowledge/marks';
import { passagePath } from '../src/lib/knowledge/place';
import { isUnderway, stageOf } from '../src/lib/knowledge/states';
import type { IndexStatus, Passage } from '../src/lib/knowledge/types';
import { readView, sameQuestion, viewPath, type View } from '../src/lib/knowledge/view';
import { match } from '../src/lib/router';

const AN_ID = '01970000-0000-7000-8000-000000000001';
const marked = (text: string, stems: string[]) => spansOf(text, stems).map(([start, end]) => text.slice(start, end));

describe('marking', () => {
  it.each([
    ['Tenants may terminate; the tenancy ends.', ['tenant', 'termin'], ['Tenants', 'terminate']],
    ['Die Kündigung kündigt man schriftlich.', ['kundig'], ['Kündigung', 'kündigt']],
    ['Zwei STRASSEN, eine Straße.', ['strass'], ['STRASSEN', 'Straße']],
    ['Every policy and all policies.', ['polici'], ['policy', 'policies']],
    ['A chair in CH, and the church.', ['ch'], ['CH']],
    ['Write to info@example.org or call.', ['info@example.org'], ['info@example.org']],
    ['A con\u00adtract.', ['contract'], ['con\u00adtract']],
    ['Nothing of it here.', ['zebra'], []],
    ['Nothing was asked.', [], []],
  ])('%s', (text, stems, found) => {
    expect(marked(text, stems)).toEqual(found);
  });

  it('marks pairs of characters where words have no spaces, and joins them', () => {
    expect(marked('租赁合同的解除条件', ['租赁', '赁合', '合同', '条件'])).toEqual(['租赁合同', '条件']);
  });

  it('cuts the text where marks begin and end, and loses nothing of it', () => {
    const text = 'one two one';
    const cut = pieces(text, spansOf(text, ['one']));
    expect(cut).toEqual([{ text: 'one', marked: true }, { text: ' two ', marked: false }, { text: 'one', marked: true }]);
    expect(pieces(text, spansOf(text, ['one']), { from: 2, to: 9 }).map((piece) => piece.text)).toEqual(['e', ' two ', 'o']);
    expect(pieces('', [])).toEqual([]);
  });
});

describe('the part of a long passage that is shown', () => {
  const filler = 'nothing to see here at all, '.repeat(40);

  it('is all of a short one', () => {
    expect(excerpt('short', [], 400)).toEqual({ from: 0, to: 5 });
  });

  it('is less of one that has many short lines', () => {
    const list = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
    const { from, to } = excerpt(list, [], 420);
    expect(list.slice(from, to).split('\n').length).toBeLessThan(10);
  });

  it('shows the row that was found, however short the rows before it are', () => {
    const table = [...Array.from({ length: 12 }, (_, row) => `Row ${row} · ${row}`), 'Zwahlen · 19', 'End'].join('\n');
    const { from, to } = excerpt(table, spansOf(table, ['zwahlen']), 420);
    expect(table.slice(from, to)).toContain('Zwahlen');
  });

  it('is its beginning when nothing is marked', () => {
    expect(excerpt(filler, [], 400).from).toBe(0);
  });

  it('is where most marks are, cut between words', () => {
    const text = `one ${filler}one two three ${filler}`;
    const spans = spansOf(text, ['one', 'two', 'three']);
    const { from, to } = excerpt(text, spans, 400);
    const shown = text.slice(from, to);
    expect(shown).toContain('one two three');
    expect(shown.length).toBeLessThan(480);
    expect(text[from - 1]).toBe(' ');
    expect(text[to - 1]).toBe(' ');
  });
});

describe('a passage as it is read', () => {
  it.each([
    ['# Title\n\nSome **bold** and _quiet_ words.\n', 'Title\nSome bold and quiet words.'],
    ['| Year | Net income |\n|---|:-:|\n| 2024 | 1\\.5 |', 'Year · Net income\n2024 · 1.5'],
    ['- one\n* two', '• one\n• two'],
    ['snake_case and 2 * 3 = 6, a \\| b', 'snake_case and 2 * 3 = 6, a | b'],
    ['1. First', '1. First'],
    ['----\n\n', ''],
  ])('%j', (text, read) => {
    expect(asRead(text)).toBe(read);
  });
});

function passage(fileId: string, chunk: number, more: Partial<Passage> = {}): Passage {
  const why = { lexical: 1, semantic: 0.5, words: [], asked: 1, floor: 0, answer: 0.2, reranked: null };
  return { fileId, fileName: `${fileId}.pdf`, version: 1, inside: '', layer: 'instance', visibility: 'GROUP', ownerId: 'me', text: '', quote: '', ref: { containerPath: '', location: '' }, score: 1, why, chunks: [chunk], ...more };
}

describe('a passage', () => {
  it('opens where it stands, with the words that answer best', () => {
    const ref = { containerPath: 'a.pdf', location: 'page:7', pageIndex: 6 };
    expect(passagePath('room', passage('a', 1, { ref, quote: 'Rent is due.' }))).toBe('/i/room/files/a?page=7&quote=Rent+is+due.');
  });
});

describe('grouping', () => {
  const found = [passage('a', 7), passage('b', 1), passage('a', 2), passage('z', 0, { inside: 'x/1.md' }), passage('z', 3, { inside: 'y.md' }), passage('a', 9)];

  it('puts passages to their file, the file of the best first, and keeps their order', () => {
    expect(grouped(found).map(({ fileId, inside, passages }) => [fileId, inside, passages.map(({ chunks }) => chunks[0])])).toEqual([
      ['a', '', [7, 2, 9]],
      ['b', '', [1]],
      ['z', 'x/1.md', [0]],
      ['z', 'y.md', [3]],
    ]);
    expect(grouped([])).toEqual([]);
  });

  it('say who can read their file, though the workspace finds private ones, too', () => {
    const found = [passage('a', 0, { visibility: 'MY' }), passage('b', 0, { visibility: 'MY', ownerId: 'ann' }), passage('c', 0), passage('d', 0, { layer: 'shared', visibility: 'ALL' })];
    expect(grouped(found).map((group) => readersOf(group, 'me'))).toEqual(['mine', 'withMe', 'workspace', 'everybody']);
  });

  it('counts an archive as one file, those with most passages first', () => {
    expect(facetsOf(found).map(({ fileId, count }) => [fileId, count])).toEqual([['a', 3], ['z', 2], ['b', 1]]);
  });

  it('tells every passage apart', () => {
    expect(new Set(found.map(keyOf)).size).toBe(found.length);
  });
});

describe('how far a file has come', () => {
  const file = { status: 'active', name: 'a.txt', mediaType: 'text/plain', version: 2 } as StoredFile;
  const status = (more: Partial<IndexStatus>) => ({ version: 2, state: 'pending', done: 0, total: 0, chunks: 0, ...more }) as IndexStatus;

  it.each([
    [undefined, { kind: 'waiting' }],
    [status({ version: 1, state: 'indexed', chunks: 4 }), { kind: 'waiting' }],
    [status({ done: 120, total: 500 }), { kind: 'reading', done: 120, total: 500 }],
    [status({ state: 'embedding', done: 1, total: 4, chunks: 4 }), { kind: 'words', share: 0.25 }],
    [status({ state: 'extracted', chunks: 4 }), { kind: 'words', share: 0 }],
    [status({ state: 'indexed', chunks: 4 }), { kind: 'searchable' }],
    [status({ state: 'indexed' }), { kind: 'empty' }],
    [status({ state: 'failed' }), { kind: 'failed' }],
  ])('%o', (known, stage) => {
    expect(stageOf({ file, status: known })).toEqual(stage);
  });

  it('is said of those nothing can be found in yet', () => {
    expect([undefined, status({ done: 1, total: 2 }), status({ state: 'embedding', chunks: 1 }), status({ state: 'failed' })].map((known) => isUnderway({ file, status: known }))).toEqual([true, true, false, false]);
    expect(isUnderway({ file: { ...file, status: 'archived' }, status: undefined })).toBe(false);
  });
});

describe('the question', () => {
  const everything: View = { ...readView(''), q: 'rent & more? 100%', files: [AN_ID], wordsOnly: true };

  it.each([everything, readView(''), { ...everything, tab: 'files' } as View])('is read from the address as it was put there', (view) => {
    const [path, query] = viewPath('my room', view).split('?');
    expect(match(path!)).toEqual({ page: 'knowledge', slug: 'my room' });
    expect(readView(query ?? '')).toEqual(view);
  });

  it('leaves out what makes no sense', () => {
    expect(readView('file=../x&file=1&tab=secret&q=%20')).toEqual(readView(''));
  });

  it('is the same only with the same words in the same files', () => {
    expect(sameQuestion(everything, { ...everything, tab: 'files' })).toBe(true);
    for (const other of [{ q: 'x' }, { files: [] }, { wordsOnly: false }]) expect(sameQuestion(everything, { ...everything, ...other })).toBe(false);
  });

  it('has an example that stands in a file', () => {
    expect(exampleIn(['', '| a | table of figures |', '12 / 2024', '# Terms of the lease: parties, rent, notice, deposit'])).toBe('Terms of the lease parties rent');
    expect(exampleIn(['1', '2'])).toBeUndefined();
  });
});

describe('languages', () => {
  it('are called as the page speaks', () => {
    expect(languageName('german', 'fr')).toBe('allemand');
    expect(languageName('simple', 'en')).toBeUndefined();
  });
});
