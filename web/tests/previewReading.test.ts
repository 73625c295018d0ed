/** The preview and the server: what is asked, when, and what becomes of answers that come late, wrong or not at all. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Look } from '../src/lib/preview/look.svelte';
import { Parts, pieces } from '../src/lib/preview/parts.svelte';
import { addressOf, askBytes, askMembers, contentAddress } from '../src/lib/preview/server';
import { Sheet } from '../src/lib/preview/sheet.svelte';
import type { ContentObject } from '../src/lib/preview/types';

const place = { fileId: 'f1', inside: 'docs/a b.pdf' };
const object = (sequence: number, text: string, more: Partial<ContentObject['ref']> = {}, metadata = {}): ContentObject => ({ sequence, contentType: 'text', text, ref: { location: `lines:${sequence}`, ...more }, metadata });

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> };
/** A server that answers by address, and remembers what it was asked. */
function serving(answer: (url: URL, init: RequestInit) => Answer | Promise<Answer>) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    asked.push(address);
    const { status = 200, body = {}, headers = {} } = await answer(new URL(address, 'http://here'), init);
    init.signal?.throwIfAborted();
    return new Response(body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body), { status, headers });
  });
  return asked;
}
afterEach(() => vi.unstubAllGlobals());

describe('addresses', () => {
  it('name the member and what of it', () => {
    expect(addressOf(place, 'pages/47/image', { width: 800 })).toBe('/api/files/f1/pages/47/image?inside=docs%2Fa+b.pdf&width=800');
    expect(contentAddress({ fileId: 'f1', version: 2 }, true)).toBe('/api/files/f1/content?version=2&inline=true');
    expect(contentAddress({ fileId: 'f1' })).toBe('/api/files/f1/content');
  });
});

describe('looking into a file', () => {
  it('keeps what is wrong with the file apart from what went wrong asking', async () => {
    serving(() => ({ body: { name: 'a.pdf', mediaType: 'application/pdf', problem: { code: 'documentEncrypted', message: '' } } }));
    const look = new Look(place, {});
    await look.load();
    expect([look.problem, look.reading?.problem?.code, look.view]).toEqual([null, 'documentEncrypted', 'none']);
    serving(() => ({ status: 404, body: { code: 'notFound', message: 'no' } }));
    const lost = new Look(place, {});
    await lost.load();
    expect([lost.problem?.code, lost.reading]).toEqual(['notFound', null]);
  });

  it('shows the hits of the newest search only', async () => {
    const answers: Record<string, (value: Answer) => void> = {};
    serving((url) => new Promise((done) => (answers[url.searchParams.get('q')!] = done)));
    const look = new Look(place, {});
    const hit = (part: string) => ({ part, location: part, before: '', match: 'x', after: '', boxes: [] });
    const both = [look.find('ol'), look.find('new')];
    answers['new']!({ body: { hits: [hit('page:3'), hit('page:9'), hit('page:9')], more: true } });
    answers['ol']!({ body: { hits: [hit('page:1')], more: false } });
    await Promise.all(both);
    expect([look.hits.length, look.more, look.finding]).toEqual([3, true, 'done']);
    expect(look.hitsOn(9).map(({ index }) => index)).toEqual([1, 2]);
    look.step(-1);
    expect([look.chosen, look.wish]).toEqual([2, { page: 9 }]);
    look.step(1);
    expect([look.chosen, look.wish]).toEqual([0, { page: 3 }]);
  });

  it('says that a search failed, and forgets the hits when the words are gone', async () => {
    serving(() => ({ status: 500 }));
    const look = new Look(place, {});
    await look.find('x');
    expect(look.finding).toBe('failed');
    await look.find('');
    expect([look.finding, look.q]).toEqual(['no', '']);
  });

  it('zooms in steps, and not beyond', () => {
    const look = new Look(place, {});
    for (let count = 0; count < 20; count += 1) look.magnify(1);
    expect(look.zoom).toBe(4);
    for (let count = 0; count < 20; count += 1) look.magnify(-1);
    expect(look.zoom).toBe(0.5);
  });
});

describe('parts of a text', () => {
  it('are asked for by page where there are pages, each once', async () => {
    const asked = serving((url) => ({ body: { items: [object(1, url.searchParams.get('part')!)], nextCursor: null, cut: false } }));
    const parts = new Parts(place, 872);
    await Promise.all([parts.need(46), parts.need(46)]);
    await parts.need(46);
    expect(parts.count).toBe(872);
    expect(asked).toEqual(['/api/files/f1/objects?inside=docs%2Fa+b.pdf&part=page%3A47&limit=200']);
  });

  it('may be empty pages', async () => {
    serving(() => ({ status: 404, body: { code: 'notFound', message: '' } }));
    const parts = new Parts(place, 3);
    await parts.need(1);
    expect(parts.parts.get(1)).toEqual({ status: 'ready', objects: [] });
  });

  it('go on by cursor where there are none, until what is sought is found', async () => {
    const chapter = (url: URL) => Number(url.searchParams.get('cursor') ?? 0);
    const asked = serving((url) => ({ body: { items: [object(chapter(url), 'x', { sectionId: `s${chapter(url)}` })], nextCursor: chapter(url) < 9 ? String(chapter(url) + 1) : null, cut: false } }));
    const parts = new Parts(place, 0);
    expect(await parts.seek(({ ref }) => ref.sectionId === 's4')).toBe(4);
    expect(asked).toHaveLength(5);
    expect(await parts.seek(() => false)).toBeUndefined();
    expect([asked.length, parts.count]).toEqual([10, 10]);
  });

  it('are read on until their text passes, but not for ever', async () => {
    const asked = serving((url) => {
      const at = Number(url.searchParams.get('cursor') ?? 0);
      return { body: { items: [object(at, `text ${at}`)], nextCursor: String(at + 1), cut: false } };
    });
    const parts = new Parts(place, 0);
    expect(await parts.seekText((text) => text === 'text 3', 0, 5)).toBe(3);
    expect(asked).toHaveLength(4);
    expect(await parts.seekText((text) => text === 'text 9', 0, 5)).toBeUndefined();
    expect(asked).toHaveLength(5);
  });

  it('that failed are tried again when asked for again', async () => {
    let fails = true;
    serving(() => (fails ? { status: 500, body: { code: 'unexpected', message: '' } } : { body: { items: [], nextCursor: null, cut: true } }));
    const parts = new Parts(place, 0);
    await parts.need(0);
    expect(parts.parts.get(0)?.status).toBe('failed');
    fails = false;
    await parts.need(0);
    expect([parts.parts.get(0)?.status, parts.cut]).toEqual(['ready', true]);
  });

  it('join texts of one section, and keep pictures and notes apart', () => {
    const picture: ContentObject = { ...object(3, ''), contentType: 'image' };
    const found = pieces([object(1, '- a', { sectionId: 's1' }), object(2, '- b', { sectionId: 's1' }), picture, object(4, 'c', { sectionId: 's2' }), object(5, 'n', { sectionId: 's2' }, { role: 'notes' })]);
    expect(found.map(({ kind, text, section }) => [kind, text, section])).toEqual([['text', '- a\n\n- b', 's1'], ['image', '', undefined], ['text', 'c', 's2'], ['text', 'n', 's2']]);
  });
});

describe('a sheet', () => {
  const slice = (first: number, last: number): ContentObject =>
    object(first, `| h | i |\n| --- | --- |\n${Array.from({ length: last - first + (first === 1 ? 0 : 1) }, (_, index) => `| ${index} | x |`).join('\n')}`, { location: `sheet:Q4/rows:${first}-${last}` }, { table: true, rows: last - first + 1 });

  it('fetches rows until the one somebody wants is there', async () => {
    const asked = serving((url) => {
      const from = Number(url.searchParams.get('cursor') ?? 1);
      return { body: { items: [slice(from, from + 199)], nextCursor: from < 1000 ? String(from + 200) : null, cut: false } };
    });
    const sheet = new Sheet(place, 'Q4');
    await sheet.more();
    expect([sheet.grid.height, sheet.widths.length, sheet.hasMore]).toEqual([200, 2, true]);
    await sheet.reach(500);
    expect([sheet.grid.height, asked.length, sheet.grid.exact]).toEqual([600, 3, true]);
    await sheet.reach(99_999);
    expect([sheet.grid.height, sheet.hasMore]).toEqual([1200, false]);
    expect(asked[0]).toContain('part=sheet%3AQ4');
  });
});

describe('rows that are on their way', () => {
  it('are asked for once, and whoever wants them waits for them', async () => {
    const asked = serving(() => ({ body: { items: [], nextCursor: null, cut: false } }));
    const sheet = new Sheet(place, 'Q4');
    await Promise.all([sheet.more(), sheet.more(), sheet.reach(7)]);
    expect([asked.length, sheet.hasMore]).toEqual([1, false]);
  });
});

describe('bytes', () => {
  it('come in ranges, and say when there are more', async () => {
    serving((_, { headers }) => {
      expect((headers as Record<string, string>)['range']).toBe('bytes=0-499');
      return { status: 206, body: new Uint8Array(500), headers: { 'content-range': 'bytes 0-499/501' } };
    });
    expect(await askBytes(place, 0, 500)).toMatchObject({ more: true });
  });

  it('of an empty file are none', async () => {
    serving(() => ({ status: 416, body: { code: 'invalidInput', message: '' } }));
    expect((await askBytes(place, 0, 500)).bytes.byteLength).toBe(0);
  });
});

describe('members', () => {
  it('are told as they come', async () => {
    serving((url) => ({ body: { items: [{ path: url.searchParams.get('cursor') ?? 'first' }], nextCursor: url.searchParams.has('cursor') ? null : '1' } }));
    const heard: number[] = [];
    await askMembers(place, new AbortController().signal, (members) => heard.push(members.length));
    expect(heard).toEqual([1, 2]);
  });
});
