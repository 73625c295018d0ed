/** The list of files on the page of knowledge: what its columns say, in which order, and how it is kept up to date. */
import { describe, expect, it, vi } from 'vitest';
import { Problem } from '../src/lib/api/problem';
import type { StoredFile } from '../src/lib/api/types';
import { i18n } from '../src/lib/i18n/index.svelte';
import { Inventory } from '../src/lib/knowledge/inventory.svelte';
import { reasonOf } from '../src/lib/knowledge/problems';
import { readersOf } from '../src/lib/knowledge/readers';
import { leftToRenew, orderAfter, rowOf, sorted, sumOf, type Row, type Sort } from '../src/lib/knowledge/rows';
import type { Inventoried } from '../src/lib/knowledge/server';
import { stageOf } from '../src/lib/knowledge/states';
import type { IndexedFile, IndexStatus } from '../src/lib/knowledge/types';
import { readView, viewPath } from '../src/lib/knowledge/view';
import { wordlessOf } from '../src/lib/knowledge/wordless';

const NAMES: Record<string, string> = { 'a/small': 'Zeta', 'b/large': 'Alpha' };

function indexedFile(name: string, status?: Partial<IndexStatus>, file: Partial<StoredFile> = {}): IndexedFile {
  const known = { version: 1, state: 'indexed', done: 0, total: 0, chunks: 1, language: 'simple', embedder: null, wanted: null, costCHF: '0', costAssumed: false, notes: [] };
  return {
    file: { id: name, name, version: 1, status: 'active', mediaType: 'text/plain', size: 9, visibility: 'GROUP', updatedAt: '2026-01-01T00:00:00Z', ...file } as StoredFile,
    status: status && ({ ...known, ...status } as IndexStatus),
  };
}

const row = (...given: Parameters<typeof indexedFile>) => rowOf(indexedFile(...given), 'en-GB', (ref) => NAMES[ref] ?? ref);
const names = (rows: readonly Row[], sort: Sort, order: 'asc' | 'desc') => sorted(rows, sort, order, 'en-GB').map(({ name }) => name);

describe('a line of the list', () => {
  it('says what the index knows of a file, in the words of the page', () => {
    expect(row('a', { chunks: 12, language: 'german', embedder: 'a/small', costCHF: '0.0012' })).toMatchObject({ passages: 12, language: 'German', model: 'Zeta', cost: 0.0012, layer: 'instance' });
  });

  it('says nothing of a file that has nothing in the index', () => {
    for (const file of [row('a'), row('a', { chunks: 0, state: 'failed' })]) {
      expect([file.passages, file.language, file.model, file.cost]).toEqual([undefined, undefined, undefined, undefined]);
    }
  });

  it('says what was spent on a file that came to nothing, and that nothing was spent on one for which it was free', () => {
    expect([row('a', { chunks: 0, state: 'failed', costCHF: '0.5' }).cost, row('a', {}).cost]).toEqual([0.5, 0]);
  });

  it('is listed with those that the same people can read: what is private is not the workspace’s', () => {
    const layers = (['MY', 'GROUP', 'ALL'] as const).map((visibility) => row('a', {}, { visibility }).layer);
    expect(layers).toEqual(['private', 'instance', 'shared']);
  });

  it('says who can read it, also whose it is when it is private', () => {
    const file = { visibility: 'MY', ownerId: 'me' } as const;
    const mine = { ...file, sharedWith: [] };
    expect([readersOf(mine, 'me'), readersOf(mine, 'you')]).toEqual(['me', 'inspected']);
    const shared = { ...file, sharedWith: ['you'] };
    expect([readersOf(shared, 'me'), readersOf(shared, 'you'), readersOf(shared, 'eve')]).toEqual(['persons', 'withMe', 'inspected']);
    expect([readersOf({ ...file, visibility: 'GROUP' }, 'me'), readersOf({ ...file, visibility: 'ALL' }, 'me')]).toEqual(['workspace', 'everybody']);
  });

  it.each([
    ['report.pdf', 'application/pdf', 0, 'nothing'],
    ['report.pdf', 'application/pdf', 9, 'scan'],
    ['photo.jpg', 'image/jpeg', 9, 'picture'],
    ['talk.mp3', 'audio/mpeg', 9, 'recording'],
    ['talk.mp4', 'video/mp4', 9, 'recording'],
    ['all.zip', 'application/zip', 9, 'archive'],
    ['slides.pptx', 'application/octet-stream', 9, 'other'],
  ] as const)('of %s (%s, %i bytes) without text says: %s', (name, mediaType, size, why) => {
    expect(wordlessOf({ name, mediaType, size })).toBe(why);
  });
});

describe('why a file could not be read', () => {
  it('is said once when it is locked, and exactly where that says more', () => {
    vi.stubGlobal('navigator', { languages: ['en-GB'] });
    i18n.messages = { 'error.documentEncrypted': 'It is locked.', 'error.documentDamaged': 'It is damaged.' };
    expect(reasonOf('documentEncrypted', 'lease.pdf wants a password.').exact).toBeUndefined();
    expect(reasonOf('documentDamaged', 'Page 7 is damaged.').exact).toBe('Page 7 is damaged.');
    expect(reasonOf('documentDamaged', null).exact).toBeUndefined();
  });
});

describe('sorting', () => {
  it('by name counts numbers as numbers and takes no heed of capitals', () => {
    const rows = ['b2', 'B10', 'a'].map((name) => row(name));
    expect(names(rows, 'name', 'asc')).toEqual(['a', 'b2', 'B10']);
    expect(names(rows, 'name', 'desc')).toEqual(['B10', 'b2', 'a']);
  });

  it('by state begins with what needs somebody', () => {
    const rows = [row('done', {}), row('words', { state: 'embedding', total: 4 }), row('broken', { state: 'failed' }), row('waits'), row('blank', { chunks: 0 })];
    expect(names(rows, 'state', 'asc')).toEqual(['broken', 'waits', 'words', 'done', 'blank']);
  });

  it.each([
    ['passages', ['much', 'little', 'none']],
    ['cost', ['much', 'little', 'none']],
    ['updatedAt', ['little', 'much', 'none']],
  ] as const)('by %s, the most first', (sort, order) => {
    const rows = [
      row('little', { chunks: 2, costCHF: '0.001' }, { updatedAt: '2026-03-01T00:00:00Z' }),
      row('none', undefined, { updatedAt: '2025-03-01T00:00:00Z' }),
      row('much', { chunks: 10, costCHF: '0.02' }),
    ];
    expect(names(rows, sort, 'desc')).toEqual(order);
  });

  it('by language and model goes by what is read on the page', () => {
    const rows = [row('one', { language: 'german', embedder: 'a/small' }), row('two', { language: 'english', embedder: 'b/large' })];
    expect(names(rows, 'language', 'asc')).toEqual(['two', 'one']);
    expect(names(rows, 'model', 'asc')).toEqual(['two', 'one']);
  });

  it('puts what says nothing last, both ways, and equals by their names', () => {
    const rows = [row('z', { chunks: 3 }), row('empty'), row('a', { chunks: 3 }), row('also empty')];
    expect(names(rows, 'passages', 'asc')).toEqual(['a', 'z', 'also empty', 'empty']);
    expect(names(rows, 'passages', 'desc')).toEqual(['a', 'z', 'also empty', 'empty']);
  });

  it('begins with the most where one looks for it, and turns round on the second click', () => {
    expect(orderAfter('cost', 'name', 'asc')).toBe('desc');
    expect(orderAfter('name', 'cost', 'desc')).toBe('asc');
    expect(orderAfter('name', 'name', 'asc')).toBe('desc');
    expect(orderAfter('cost', 'cost', 'desc')).toBe('asc');
  });
});

describe('what they come to', () => {
  it('is the sum, by guess as soon as one of them is', () => {
    const sure = row('a', { chunks: 4, costCHF: '0.25' });
    const guessed = row('b', { chunks: 1, costCHF: '0.5', costAssumed: true });
    expect(sumOf([sure])).toEqual({ passages: 4, cost: '0.25', assumed: false });
    expect(sumOf([sure, guessed])).toEqual({ passages: 5, cost: '0.75', assumed: true });
    expect(sumOf([])).toEqual({ passages: 0, cost: '0', assumed: false });
  });
});

describe('what is called searchable', () => {
  const recording = { name: 'talk.mp3', mediaType: 'audio/mpeg', size: 9 };

  it('has something that can be found', () => {
    expect(stageOf(indexedFile('a', { state: 'extracted', chunks: 0 })).kind).toBe('waiting');
    expect(stageOf(indexedFile('a', { state: 'extracted', chunks: 1 })).kind).toBe('words');
    expect(stageOf(indexedFile('a', { chunks: 0 }, recording)).kind).toBe('empty');
  });

  it('is no recording: it is found by its title and tags only', () => {
    expect(stageOf(indexedFile('a', { chunks: 1 }, recording)).kind).toBe('details');
    expect(stageOf(indexedFile('a', { chunks: 1 }, { name: 'film.mp4', mediaType: 'video/mp4' })).kind).toBe('details');
  });
});

describe('a change of the model', () => {
  it('leaves a file searchable until its new vectors are there', () => {
    const renewed = { state: 'embedding', wanted: 'b/large', embedder: 'a/small', chunks: 4, done: 1, total: 4 } as const;
    expect(stageOf(indexedFile('a', renewed))).toEqual({ kind: 'renewing', share: 0.25 });
    expect(stageOf(indexedFile('a', { ...renewed, state: 'indexed', done: 4 }))).toEqual({ kind: 'renewing', share: 0 });
    expect(stageOf(indexedFile('a', { ...renewed, wanted: null }))).toEqual({ kind: 'words', share: 0.25 });
    expect(leftToRenew([row('a', renewed), row('b', {}), row('c')])).toBe(1);
  });
});

describe('the address', () => {
  it('keeps which files are listed, on their tab only', () => {
    expect(readView('?tab=files&layer=shared').layer).toBe('shared');
    expect(readView('?tab=files&layer=nonsense').layer).toBeUndefined();
    expect(viewPath('x', { tab: 'files', layer: 'instance' })).toBe('/i/x/knowledge?tab=files&layer=instance');
    expect(viewPath('x', { tab: 'search', layer: 'instance' })).toBe('/i/x/knowledge');
  });

  it('keeps how they are sorted and which names are looked for', () => {
    const view = { ...readView('tab=files'), name: 'a b', sort: 'cost' as const, order: 'asc' as const };
    expect(readView(viewPath('x', view).split('?')[1]!)).toEqual(view);
    expect(viewPath('x', readView('tab=files'))).toBe('/i/x/knowledge?tab=files');
    expect(readView('tab=files&sort=secret&order=up')).toEqual(readView('tab=files'));
  });
});

describe('the list of files', () => {
  function manual() {
    const asked: { q: string; signal: AbortSignal; answer: (found: Inventoried) => void; refuse: (cause: unknown) => void }[] = [];
    const inventory = new Inventory('room', '', (_, q, signal) => new Promise((answer, refuse) => void asked.push({ q, signal, answer, refuse })));
    const found = (...files: string[]) => ({ files: files.map((name) => indexedFile(name)), cut: false });
    const listed = () => inventory.files.map(({ file }) => file.name);
    return { asked, inventory, found, listed };
  }

  it('looks once more, not ten times, when much has changed while an answer was on its way', async () => {
    const { asked, inventory, found, listed } = manual();
    const loaded = inventory.load();
    for (let count = 0; count < 10; count += 1) void inventory.refresh();
    expect(asked.length).toBe(1);
    asked[0]!.answer(found('old'));
    await Promise.resolve();
    asked[1]!.answer(found('new'));
    await loaded;
    expect([asked.length, listed(), inventory.status]).toEqual([2, ['new'], 'ready']);
  });

  it('keeps what it shows while it looks again, and when that fails', async () => {
    const { asked, inventory, found, listed } = manual();
    const loaded = inventory.load();
    asked[0]!.answer(found('a'));
    await loaded;
    const again = inventory.refresh();
    expect([inventory.status, listed()]).toEqual(['ready', ['a']]);
    asked[1]!.refuse(Problem.network());
    await again;
    expect([inventory.status, listed(), inventory.problem?.code]).toEqual(['failed', ['a'], 'network']);
  });

  it('answers the newest search only', async () => {
    const { asked, inventory, found, listed } = manual();
    const first = inventory.search('a');
    const second = inventory.search('ab');
    expect(asked[0]!.signal.aborted).toBe(true);
    asked[1]!.answer(found('ab'));
    asked[0]!.answer(found('a'));
    await Promise.all([first, second]);
    expect(listed()).toEqual(['ab']);
  });

  it('is silent once it is left', async () => {
    const { asked, inventory, found, listed } = manual();
    const loaded = inventory.load();
    inventory.leave();
    asked[0]!.answer(found('late'));
    await loaded;
    expect([asked[0]!.signal.aborted, listed()]).toEqual([true, []]);
  });
});
