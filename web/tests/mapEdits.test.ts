import { describe, expect, it } from 'vitest';
import type { MapEdit } from '../src/lib/api/types';
import { mapActionOf, type MapAction } from '../src/lib/map/actions';
import { mapLog, withEdit, type AnchoredEdit, type MessageMapActions } from '../src/lib/map/edits';
import { MapEdits } from '../src/lib/map/mapEdits.svelte';
import type { StoredMapEdits } from '../src/lib/map/server';
import { folded, isEmpty, seen, type MapState } from '../src/lib/map/state';

const layer = (id: string) => mapActionOf({ type: 'addLayer', payload: { id, type: 'wmts', source: { url: `/${id}` } } })!;
const extract = mapActionOf({ type: 'showOerebExtract', payload: { egrid: 'CH1', url: '' } })!;
const show = (id: string, visible: boolean): MapEdit => ({ type: 'showLayer', payload: { id, visible } });
const fade = (id: string, opacity: number): MapEdit => ({ type: 'fadeLayer', payload: { id, opacity } });
const remove = (id: string): MapEdit => ({ type: 'removeLayer', payload: { id } });
const marker = (id: string) => mapActionOf({ type: 'addMarker', payload: { id, coord: [2_600_000, 1_200_000], label: id } })!;
const showMarker = (id: string, visible: boolean): MapEdit => ({ type: 'showMarker', payload: { id, visible } });
const close: MapEdit = { type: 'closeExtract', payload: {} };
const message = (messageId: string | null, ...actions: MapAction[]): MessageMapActions => ({ messageId, actions });
const anchored = (...all: [string, MapEdit][]): AnchoredEdit[] => all.map(([after, edit]) => ({ after, edit }));
const ids = ({ layers }: MapState) => layers.map(({ id }) => id);

describe('what people change on a map', () => {
  it('counts until a newer action', () => {
    const edits = anchored(['m1', show('a', false)], ['m1', fade('a', 0.4)]);
    expect(folded(mapLog([message('m1', layer('a'))], edits)).layers).toMatchObject([{ visible: false, opacity: 0.4 }]);
    expect(folded(mapLog([message('m1', layer('a')), message('m2', layer('a'))], edits)).layers).toMatchObject([{ visible: true, opacity: 0.4 }]);
    const removed = anchored(['m1', remove('a')]);
    expect(ids(folded(mapLog([message('m1', layer('a')), message('m2')], removed)))).toEqual([]);
    expect(ids(folded(mapLog([message('m1', layer('a')), message(null, layer('a'))], removed)))).toEqual(['a']);
  });

  it('takes a marker off and puts it back, until an action adds it again', () => {
    const names = (...entries: Parameters<typeof folded>[0]) => seen(folded(entries).markers).map(({ label }) => label);
    expect(names(marker('a'), marker('b'), showMarker('a', false))).toEqual(['b']);
    expect(names(marker('a'), marker('b'), showMarker('a', false), layer('x'), showMarker('a', true))).toEqual(['a', 'b']);
    expect(names(marker('a'), showMarker('a', false), marker('a'))).toEqual(['a']);
    expect(names(showMarker('a', true), showMarker('b', false))).toEqual([]);
    expect(ids(folded([layer('a'), showMarker('a', false)])), 'a layer of that name is no marker').toEqual(['a']);
    expect(isEmpty(folded([marker('a'), showMarker('a', false)]))).toBe(true);
  });

  it('sorts layers, and lets new ones lie on top', () => {
    const edits = anchored(['m1', { type: 'sortLayers', payload: { ids: ['b', 'a'] } }]);
    expect(ids(folded(mapLog([message('m1', layer('a'), layer('b')), message('m2', layer('c'))], edits)))).toEqual(['b', 'a', 'c']);
    expect(ids(folded([layer('a'), layer('b'), { type: 'sortLayers', payload: { ids: ['b'] } }]))).toEqual(['b', 'a']);
  });

  it('closes the extract until an action opens one again', () => {
    const edits = anchored(['m1', close]);
    expect(folded(mapLog([message('m1', extract)], edits)).extract).toBeNull();
    expect(folded(mapLog([message('m1', extract), message('m2', extract)], edits)).extract).not.toBeNull();
  });

  it('does not count on a branch that does not have its message', () => {
    const edits = anchored(['m1', fade('a', 0.4)], ['left', remove('a')], ['right', show('a', false)]);
    expect(ids(folded(mapLog([message('m1', layer('a')), message('left')], edits)))).toEqual([]);
    expect(folded(mapLog([message('m1', layer('a')), message('right')], edits)).layers).toMatchObject([{ visible: false, opacity: 0.4 }]);
    expect(folded(mapLog([message('m1', layer('a'))], edits)).layers).toMatchObject([{ visible: true }]);
  });

  it('is kept once for each thing after each message, the newest last', () => {
    const edits = anchored(['m', fade('a', 0.9)], ['m', fade('b', 0.5)], ['m', show('a', false)], ['m', fade('a', 0.2)], ['n', fade('a', 0.1)]).reduce<AnchoredEdit[]>(withEdit, []);
    expect(edits).toEqual(anchored(['m', fade('b', 0.5)], ['m', show('a', false)], ['m', fade('a', 0.2)], ['n', fade('a', 0.1)]));
  });
});

const settled = () => new Promise((done) => setTimeout(done));

/** A server that answers when the test says so. */
class Slow {
  kept: AnchoredEdit[] = [];
  asked: string[] = [];
  refused: unknown[] = [];
  loadsFailed = 0;
  mayEdit = true;
  #waiting: { go: () => void; stop: (cause: unknown) => void }[] = [];
  map = new MapEdits({
    load: () => this.#later('load', () => {}),
    send: (one) => this.#later(one.edit.type, () => (this.kept = withEdit(this.kept, one))),
    onRefused: (cause) => this.refused.push(cause),
    onLoadFailed: () => (this.loadsFailed += 1),
  });

  async answer(): Promise<void> {
    this.#waiting.shift()!.go();
    await settled();
  }

  async fail(cause: unknown): Promise<void> {
    this.#waiting.shift()!.stop(cause);
    await settled();
  }

  get edits(): MapEdit[] {
    return this.map.all.map(({ edit }) => edit);
  }

  #later(what: string, done: () => void): Promise<StoredMapEdits> {
    this.asked.push(what);
    return new Promise((resolve, stop) => {
      const edits = () => this.kept.map(({ after, edit }) => ({ afterMessageId: after, edit, madeBy: null, madeAt: '' }));
      this.#waiting.push({ go: () => (done(), resolve({ edits: edits(), mayEdit: this.mayEdit })), stop });
    });
  }
}

async function opened(...kept: [string, MapEdit][]): Promise<Slow> {
  const server = new Slow();
  server.kept = anchored(...kept);
  void server.map.reload();
  await settled();
  expect(server.map.isKnown).toBe(false);
  await server.answer();
  expect(server.map.isKnown).toBe(true);
  server.asked = [];
  return server;
}

describe('a map that is kept on the server', () => {
  it('is as others have left it', async () => {
    const server = await opened(['m', remove('a')]);
    expect([server.edits, server.map.mayEdit]).toEqual([[remove('a')], true]);
  });

  it('shows a change at once, and sends one after the other', async () => {
    const server = await opened();
    void server.map.make('m', remove('a'));
    void server.map.make('m', show('b', false));
    expect(server.edits).toEqual([remove('a'), show('b', false)]);
    await settled();
    expect(server.asked).toEqual(['removeLayer']);
    await server.answer();
    expect(server.edits).toEqual([remove('a'), show('b', false)]);
    await server.answer();
    expect([server.asked, server.edits]).toEqual([['removeLayer', 'showLayer'], [remove('a'), show('b', false)]]);
    expect(server.kept).toEqual(anchored(['m', remove('a')], ['m', show('b', false)]));
  });

  it('sends nothing while something is still moving, and then the last of it', async () => {
    const server = await opened();
    for (const opacity of [0.6, 0.5, 0.4]) server.map.try('m', fade('a', opacity));
    expect([server.edits, server.asked]).toEqual([[fade('a', 0.4)], []]);
    for (const opacity of [0.4, 0.3, 0.2]) void server.map.make('m', fade('a', opacity)); // by keyboard, faster than the server
    await settled();
    await server.answer();
    expect(server.asked, 'only what still counts').toEqual(['fadeLayer']);
    expect(server.kept).toEqual(anchored(['m', fade('a', 0.2)]));
    expect(server.edits).toEqual([fade('a', 0.2)]);
  });

  it('takes back what the server does not take, says so once, and looks again', async () => {
    const server = await opened(['m', show('b', false)]);
    void server.map.make('m', remove('a'));
    await settled();
    server.mayEdit = false;
    await server.fail('no');
    expect([server.refused, server.edits]).toEqual([['no'], [show('b', false)]]);
    expect(server.asked).toEqual(['removeLayer', 'load']);
    await server.answer();
    expect(server.map.mayEdit).toBe(false);
  });

  it('never shows an answer that is older than what was done since', async () => {
    const server = await opened();
    void server.map.reload();
    void server.map.reload();
    void server.map.make('m', remove('a'));
    await settled();
    expect(server.asked).toEqual(['load']);
    await server.answer();
    expect(server.edits).toEqual([remove('a')]);
    await server.answer();
    expect([server.asked, server.edits]).toEqual([['load', 'removeLayer'], [remove('a')]]);
  });

  it('goes on with what it knows when it cannot be read', async () => {
    const server = await opened(['m', remove('a')]);
    void server.map.reload();
    await settled();
    await server.fail('away');
    expect([server.loadsFailed, server.edits]).toEqual([1, [remove('a')]]);
  });
});
