import { describe, expect, it } from 'vitest';
import { Problem } from '../src/lib/api/problem';
import { readChosen, readDropped, TooMany } from '../src/lib/files/droppedEntries';
import { kindOf, stemLength, typeLabel } from '../src/lib/files/kinds';
import { makeFolders, type FolderServer } from '../src/lib/files/makeFolders';
import { Selection } from '../src/lib/files/selection.svelte';
import { retagged, tagsOf } from '../src/lib/files/tagChange';
import { childrenOf, flatten, isWithin, pathOf } from '../src/lib/files/tree';
import { askedOf, isSearch, readView, sorted, viewPath, type View } from '../src/lib/files/view';
import { match } from '../src/lib/router';

const A_FOLDER = '01970000-0000-7000-8000-000000000001';

describe('what is looked at', () => {
  const everything: View = { folder: A_FOLDER, q: 'rent & more', tag: 'tax 2026', type: 'pdf', status: 'archived', visibility: 'GROUP', trash: true, sort: 'size', order: 'asc' };

  it.each([everything, readView(''), { ...everything, sort: 'name', order: 'desc' } as View])('is read from the address as it was put there', (view) => {
    const [path, query] = viewPath('my room', view).split('?');
    expect(match(path!)).toEqual({ page: 'files', slug: 'my room' });
    expect(readView(query ?? '')).toEqual(view);
  });

  it('leaves out what makes no sense', () => {
    expect(readView('folder=../x&type=exe&sort=password&order=up&status=gone&visibility=me')).toEqual(readView(''));
  });

  it('is a folder, or the whole workspace when something is looked for', () => {
    expect(askedOf(readView(''))).toEqual({ sort: 'name', order: 'asc', folderId: 'root' });
    expect(askedOf(readView(`folder=${A_FOLDER}`))).toMatchObject({ folderId: A_FOLDER });
    expect(isSearch(readView(`folder=${A_FOLDER}&q=x`))).toBe(true);
    expect(askedOf(readView(`folder=${A_FOLDER}&q=x&tag=y`))).toEqual({ sort: 'name', order: 'asc', q: 'x', tags: ['y'] });
    expect(askedOf(readView('trash=1'))).toEqual({ sort: 'name', order: 'asc', deleted: true });
  });

  it('is sorted from A, or from the newest and largest, and then the other way round', () => {
    const view = readView('');
    expect(sorted(view, 'name').order).toBe('desc');
    expect(sorted(view, 'size')).toMatchObject({ sort: 'size', order: 'desc' });
    expect(sorted(sorted(view, 'size'), 'size').order).toBe('asc');
  });
});

describe('a selection', () => {
  const order = ['a', 'b', 'c', 'd', 'e'];
  const chosen = (selection: Selection) => [...selection.ids].sort().join('');

  it('is one by a click, more with Ctrl, a stretch with Shift', () => {
    const selection = new Selection();
    selection.pick('b', order);
    selection.pick('d', order);
    expect(chosen(selection)).toBe('d');
    selection.pick('b', order, { toggle: true });
    expect(chosen(selection)).toBe('bd');
    selection.pick('a', order, { shift: true });
    expect(chosen(selection)).toBe('abd');
    selection.pick('c', order, { shift: true });
    expect(chosen(selection)).toBe('bcd');
    selection.pick('c', order, { toggle: true });
    expect(chosen(selection)).toBe('bd');
  });

  it('stretches with Shift and the arrows, and shrinks again', () => {
    const selection = new Selection();
    selection.pick('b', order);
    selection.step(1, order, order, true);
    selection.step(1, order, order, true);
    expect([chosen(selection), selection.cursor]).toEqual(['bcd', 'd']);
    selection.step(-1, order, order, true);
    expect(chosen(selection)).toBe('bc');
  });

  it('is left alone by arrows without Shift, which pass folders too and stop at the ends', () => {
    const selection = new Selection();
    const rows = ['folder', ...order];
    selection.step(1, rows, order);
    expect(selection.cursor).toBe('folder');
    selection.step(-1, rows, order);
    expect(selection.cursor).toBe('folder');
    selection.step(Infinity, rows, order);
    expect([selection.cursor, selection.size]).toEqual(['e', 0]);
  });

  it('never contains a folder', () => {
    const selection = new Selection();
    selection.pick('folder', order);
    expect(selection.size).toBe(0);
    selection.cursor = 'folder';
    selection.step(1, ['folder', ...order], order, true);
    expect(selection.has('folder')).toBe(false);
  });

  it('forgets what is gone, and survives an anchor that is', () => {
    const selection = new Selection();
    selection.all(order);
    selection.keep(['a', 'b']);
    expect(chosen(selection)).toBe('ab');
    selection.pick('c', order);
    selection.pick('b', ['a', 'b'], { shift: true });
    expect(chosen(selection)).toBe('b');
    selection.clear();
    expect(selection.size).toBe(0);
  });
});

describe('folders', () => {
  const folder = (id: string, parentId: string | null, name = id) => ({ id, parentId, name });
  const all = [folder('b', null), folder('a', null, 'A10'), folder('a2', null, 'A2'), folder('inner', 'b'), folder('deep', 'inner'), folder('lost', 'gone')];

  it('are sorted as people count, and those without their parent are at the top', () => {
    expect(childrenOf(all, null).map(({ name }) => name)).toEqual(['A2', 'A10', 'b', 'lost']);
    expect(childrenOf(all, 'b').map(({ id }) => id)).toEqual(['inner']);
  });

  it('know the way to themselves, even in a circle', () => {
    expect(pathOf(all, 'deep').map(({ id }) => id)).toEqual(['b', 'inner', 'deep']);
    expect(pathOf(all, 'nowhere')).toEqual([]);
    expect(pathOf([folder('x', 'y'), folder('y', 'x')], 'x').map(({ id }) => id)).toEqual(['y', 'x']);
    expect([isWithin(all, 'deep', 'b'), isWithin(all, 'b', 'deep'), isWithin(all, null, 'b')]).toEqual([true, false, false]);
  });

  it('show only what is opened', () => {
    expect(flatten(all, ({ id }) => id === 'b').map(({ folder: { id }, depth }) => `${depth} ${id}`)).toEqual(['0 a2', '0 a', '0 b', '1 inner', '0 lost']);
  });
});

describe('dropped things', () => {
  const asEntry = (name: string, children?: FileSystemEntry[]): FileSystemEntry => {
    if (!children) return { name, isFile: true, file: (take: (file: File) => void) => take(new File(['x'], name)) } as unknown as FileSystemEntry;
    const pieces = [children.slice(0, 2), children.slice(2), []].filter((piece, index) => index === 2 || piece.length > 0);
    return { name, isFile: false, createReader: () => ({ readEntries: (take: (some: FileSystemEntry[]) => void) => take(pieces.shift() ?? []) }) } as unknown as FileSystemEntry;
  };
  const shown = (found: Awaited<ReturnType<typeof readDropped>>) => found.map(({ path, file }) => [...path, file?.name ?? ''].join('/'));

  it('keep their folders, also empty ones, read piece by piece; leftovers of systems stay out', async () => {
    const tree = asEntry('project', [asEntry('a.txt'), asEntry('b.txt'), asEntry('.DS_Store'), asEntry('sub', [asEntry('c.txt')]), asEntry('empty', [])]);
    expect(shown(await readDropped([tree, new File([], 'single.pdf'), null]))).toEqual(['project/a.txt', 'project/b.txt', 'project/sub/c.txt', 'project/empty/', 'single.pdf']);
  });

  it('are refused when there are too many', () => {
    expect(() => readChosen(Array.from({ length: 5_001 }, () => new File([], 'x')))).toThrow(TooMany);
  });

  it('find the folders that are there and make the others once, outermost first', async () => {
    const made: string[] = [];
    const server: FolderServer = {
      list: async () => [{ id: 'there', parentId: 'place', name: 'project' }],
      create: async (_, name, parentId) => (made.push(`${parentId}/${name}`), { id: `id of ${name}`, parentId, name }),
    };
    const found = await makeFolders('room', 'place', [['project'], ['project', 'sub', 'deep'], ['project', 'sub'], []], server);
    expect(made).toEqual(['there/sub', 'id of sub/deep']);
    expect(found.get('project/sub/deep')).toBe('id of deep');
    expect(found.get('')).toBe('place');
  });

  it('use the folder somebody else made a moment earlier', async () => {
    let asked = 0;
    const server: FolderServer = {
      list: async () => (asked++ === 0 ? [] : [{ id: 'theirs', parentId: null, name: 'project' }]),
      create: () => Promise.reject(new Problem('nameTaken', '', 409)),
    };
    expect((await makeFolders('room', null, [['project']], server)).get('project')).toBe('theirs');
  });
});

describe('tags of many', () => {
  it('are the same tag whatever their capitals, which are kept', () => {
    const before = tagsOf([{ tags: ['finanzen', 'Q4'] }, { tags: ['Finanzen'] }]);
    expect(before).toEqual({ common: ['Finanzen'], partial: ['Q4'] });
    expect(retagged({ common: ['finanzen'], partial: [] }, { common: ['Finanzen'], partial: [] })).toEqual({ add: ['Finanzen'], remove: [] });
  });

  it('are told apart by whether all have them, and changed only where something changed', () => {
    const before = tagsOf([{ tags: ['a', 'b'] }, { tags: ['b', 'c'] }]);
    expect(before).toEqual({ common: ['b'], partial: ['a', 'c'] });
    expect(retagged(before, before)).toEqual({ add: [], remove: [] });
    expect(retagged(before, { common: ['a', 'new'], partial: [] })).toEqual({ add: ['a', 'new'], remove: ['b', 'c'] });
  });
});

describe('kinds of files', () => {
  it.each([
    ['a.pdf', 'application/pdf', 'pdf', 'PDF'],
    ['scan', 'application/pdf', 'pdf', 'PDF'],
    ['Budget.XLSX', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'sheet', 'XLSX'],
    ['photo.heic', 'image/heic', 'image', 'HEIC'],
    ['.gitignore', 'text/plain', 'text', 'PLAIN'],
    ['unknown', 'application/octet-stream', 'other', ''],
    ['Mr. Smith', 'application/octet-stream', 'other', ''],
  ])('%s (%s) is a %s', (name, mediaType, kind, label) => {
    expect(kindOf({ name, mediaType })).toBe(kind);
    expect(typeLabel({ name, mediaType })).toBe(label);
  });

  it('rename what is before the ending', () => {
    expect([stemLength('report.final.pdf'), stemLength('Makefile'), stemLength('.env')]).toEqual([12, 8, 4]);
  });
});
