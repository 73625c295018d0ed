import { describe, expect, it } from 'vitest';
import { ActionQueue, type Drawing } from '../src/lib/map/actionQueue';
import { isMapType, mapActionOf, mapActionsIn, type MapAction } from '../src/lib/map/actions';
import { hasMap, mapActionsByMessage } from '../src/lib/map/conversationMap';
import { offers, offersIn } from '../src/lib/map/offers.svelte';
import { blank, type RunView } from '../src/lib/run/reduce';
import { applied, EMPTY, folded, isEmpty, type Entry, type MapState } from '../src/lib/map/state';
import { barLength, fromDegrees, gridStep, plain, RESOLUTIONS, resolutionOf, tileAddress, written } from '../src/lib/map/swiss';
import { sources } from './sources';

const HERE: [number, number] = [2_609_767.1, 1_228_437.4];

function action(type: string, payload: Record<string, unknown> = {}): MapAction {
  return mapActionOf({ type, payload })!;
}

const view = (zoom = 17, center = HERE) => action('setView', { center, zoom });
const marker = (id: string, label = id, coord = HERE) => action('addMarker', { id, coord, label });
const layer = (id: string, more: Record<string, unknown> = {}) => action('addLayer', { id, type: 'wmts', source: { url: `/api/geo/tiles/${id}/{TileMatrix}/{TileRow}/{TileCol}.svg` }, ...more });
const remove = (id: string) => action('removeLayer', { id }) as Extract<MapAction, { type: 'removeLayer' }>;
const extract = action('showOerebExtract', { egrid: 'CH1', url: 'https://oereb.example/CH1.pdf' });
const ids = ({ layers }: MapState) => layers.map(({ id }) => id);

/** The seed's conversation: an address and a layer. */
const SEED = [view(), marker('addr-7568', 'Langendorfstrasse 19b, 4500 Solothurn'), layer('ch.so.gws')];

describe('actions on the map', () => {
  it('are read as they are sent', () => {
    expect(view()).toEqual({ type: 'setView', payload: { center: HERE, zoom: 17, crs: 'EPSG:2056' } });
    expect(marker('addr-1', 'Somewhere').payload).toEqual({ id: 'addr-1', coord: HERE, style: 'pin-default', label: 'Somewhere' });
    expect(layer('l', { title: 'Layer', sample: true }).payload).toMatchObject({ id: 'l', visible: true, title: 'Layer', sample: true });
    expect(action('clearMap')).toEqual({ type: 'clearMap', payload: {} });
    expect(isMapType('openFile')).toBe(false);
  });

  it.each([
    ['flyToTheMoon', {}],
    ['openFile', { fileId: 'a' }],
    ['toString', {}],
    ['setView', { center: [1], zoom: 17 }],
    ['setView', { center: HERE, zoom: 'near' }],
    ['setView', { center: HERE, zoom: 99 }],
    ['setView', { center: HERE, zoom: 17, crs: 'EPSG:4326' }],
    ['addMarker', { id: 'a', coord: ['x', 'y'] }],
    ['addMarker', { coord: HERE }],
    ['addLayer', { id: 'a', type: 'wmts', source: {} }],
    ['addLayer', { id: 'a', type: 'flash', source: { url: 'https://a.example' } }],
    ['addLayer', { id: 'a', type: 'wms', source: { url: 'javascript:alert(1)' } }],
    ['addLayer', { id: 'a', type: 'wms', source: { url: '//a.example' } }],
    ['removeLayer', {}],
    ['showOerebExtract', {}],
  ])('that are not understood are left out: %s %j', (type, payload) => {
    expect(mapActionOf({ type, payload })).toBeUndefined();
    expect(mapActionsIn([view(), { type, payload }, marker('a')])).toEqual([view(), marker('a')]);
  });

  it('keep nothing of an address that a browser would run', () => {
    expect(action('showOerebExtract', { egrid: 'CH1', url: 'javascript:alert(1)' }).payload).toEqual({ egrid: 'CH1', url: '' });
    expect(action('addLayer', { id: 'a', type: 'wms', source: { url: 'https://a.example', legend: 'data:text/html,x' } }).payload).toMatchObject({ source: { legend: null } });
  });
});

describe('what is on the map', () => {
  it('is where the actions lead', () => {
    const state = folded(SEED);
    expect(state.view).toEqual({ center: HERE, zoom: 17 });
    expect(state.markers).toEqual([{ id: 'addr-7568', coord: HERE, label: 'Langendorfstrasse 19b, 4500 Solothurn', visible: true }]);
    expect(state.layers).toMatchObject([{ id: 'ch.so.gws', title: 'ch.so.gws', type: 'wmts', visible: true, opacity: 0.7, sample: false }]);
    expect(folded([...SEED, extract]).extract).toEqual({ egrid: 'CH1', url: 'https://oereb.example/CH1.pdf' });
  });

  it('depends on their order', () => {
    expect(folded([view(13), view(17)]).view?.zoom).toBe(17);
    expect(folded([view(17), view(13)]).view?.zoom).toBe(13);
    expect(ids(folded([layer('a'), remove('a')]))).toEqual([]);
    expect(ids(folded([remove('a'), layer('a')]))).toEqual(['a']);
    expect(ids(folded([layer('a'), layer('b')]))).toEqual(['a', 'b']);
  });

  it('is nothing after it was cleared, whatever there was', () => {
    expect(folded([...SEED, extract, action('clearMap')])).toBe(EMPTY);
    expect(isEmpty(folded([...SEED, action('clearMap')]))).toBe(true);
    expect(isEmpty(folded([marker('a')]))).toBe(false);
  });

  it('is the same wherever the reading was interrupted, and however often it is read', () => {
    const log = [...SEED, layer('b'), remove('ch.so.gws'), marker('addr-7568', 'Moved', [2_600_000, 1_200_000]), view(18)];
    const whole = folded(log);
    for (let seen = 0; seen <= log.length; seen += 1) expect(folded(log.slice(seen), folded(log.slice(0, seen)))).toEqual(whole);
    expect(folded(log, whole)).toEqual(whole);
  });

  it('has one of each id, the newest, in the old place', () => {
    const state = folded([marker('a', 'old'), marker('b'), marker('a', 'new'), layer('x'), layer('y'), layer('x', { title: 'X' })]);
    expect(state.markers.map(({ label }) => label)).toEqual(['new', 'b']);
    expect(state.layers.map(({ title }) => title)).toEqual(['X', 'y']);
  });

  it('is seen through, until its reader wants it otherwise', () => {
    const faded: Entry = { type: 'fadeLayer', payload: { id: 'a', opacity: 1 } };
    const opacities = (log: Entry[]) => folded(log).layers.map(({ opacity }) => opacity);
    expect(opacities([layer('a'), layer('b')])).toEqual([0.7, 0.7]);
    expect(opacities([layer('a'), faded, layer('a')])).toEqual([1]);
    expect(opacities([layer('a'), faded, remove('a'), layer('a')])).toEqual([0.7]);
  });

  it('leaves what it was made of as it was', () => {
    const before = folded(SEED);
    const kept = structuredClone(before);
    applied(before, remove('ch.so.gws'));
    expect(before).toEqual(kept);
  });
});

describe('lists of what services name', () => {
  it('are kept by place: the same name twice must not take the page down', () => {
    const lists = sources()
      .filter(({ path }) => /^lib\/(map\/|chat\/pauses\/Choose)/.test(path))
      .flatMap(({ path, text }) => [...text.matchAll(/\{#each (.*) \((.*?)\)\}/g)].map(([, list = '', key = '']) => ({ path, list, key })));
    expect(lists.length).toBeGreaterThan(5);
    expect(lists.filter(({ list, key }) => !list.startsWith('groups ') && !list.endsWith(`, ${key}`))).toEqual([]);
  });
});

describe('answers that lie somewhere', () => {
  const option = (id: string, coord?: [number, number]) => ({ id, label: id, description: '', confidence: 0.9, data: {}, actions: coord ? [{ type: 'addMarker', payload: { id: `choice-${id}`, coord, label: `Parcel ${id}` } }] : [] });
  const options = [option('p1', HERE), option('p2'), option('p3', [2_600_520, 1_215_525])];
  const waiting: RunView = {
    ...blank('r'),
    state: 'paused',
    items: [{ kind: 'pause', id: 'c?', callId: 'c', tool: 't', state: 'waiting', pause: { kind: 'choice', version: 1, text: 'Which?', options, untrusted: false, box: false }, answer: null }],
  };

  it('are numbered as on the card', () => {
    expect(offersIn(options)).toEqual([
      { option: 'p1', number: 1, markers: [{ id: 'choice-p1', coord: HERE, label: 'Parcel p1', visible: true }] },
      { option: 'p3', number: 3, markers: [{ id: 'choice-p3', coord: [2_600_520, 1_215_525], label: 'Parcel p3', visible: true }] },
    ]);
  });

  it('are on the map while they are asked for, one of them looked at, and can be chosen there', () => {
    const chosen: string[] = [];
    const leave = offers.make(options, (id) => chosen.push(id));
    offers.look('p1');
    offers.leave('p3');
    expect([offers.list.length, offers.looked]).toEqual([2, 'p1']);
    offers.leave('p1');
    expect(offers.looked).toBeNull();
    offers.choose('p3');
    expect(chosen).toEqual(['p3']);
    leave();
    offers.choose('p1');
    expect([offers.list, chosen]).toEqual([[], ['p3']]);
  });

  it('leave the answers to a newer question where they are', () => {
    const leave = offers.make(options, undefined);
    const leaveNewer = offers.make(options.slice(0, 1), undefined);
    leave();
    expect(offers.list).toHaveLength(1);
    leaveNewer();
  });

  it('make a map, as actions do', () => {
    expect(hasMap({ actions: [], current: undefined })).toBe(false);
    expect(hasMap({ actions: [{ type: 'openFile', payload: {} }], current: undefined })).toBe(false);
    expect(hasMap({ actions: [{ type: 'setView', payload: {} }], current: undefined })).toBe(true);
    expect(hasMap({ actions: [], current: waiting })).toBe(true);
    expect(hasMap({ actions: [], current: { ...waiting, state: 'stopped' } })).toBe(false);
    const answered = { actions: [], current: { ...waiting, items: [], state: 'running' as const } };
    expect([hasMap(answered, true), hasMap(answered), hasMap({ ...answered, current: undefined }, true)]).toEqual([true, false, false]);
    const messageActions = [{ messageId: 'm', actions: [{ type: 'openFile', payload: {} }, view()] }, { messageId: null, actions: [] }];
    expect(mapActionsByMessage({ messageActions })).toEqual([{ messageId: 'm', actions: [view()] }, { messageId: null, actions: [] }]);
  });
});

/** A map that says what it was told to draw, and is done with it when the test says so. */
class Slow implements Drawing {
  drawn: { entry: Entry | undefined; state: MapState; moves: boolean | undefined }[] = [];
  #waiting: (() => void)[] = [];
  fails = (_: Entry | undefined) => false;

  draw(state: MapState, entry?: Entry, moves?: boolean): Promise<void> {
    this.drawn.push({ entry, state, moves });
    if (this.fails(entry)) return Promise.reject(new Error('no'));
    return entry === undefined ? Promise.resolve() : new Promise((done) => this.#waiting.push(done));
  }

  finish(): Promise<void> {
    this.#waiting.shift()?.();
    return new Promise((done) => setTimeout(done));
  }

  get types() {
    return this.drawn.map(({ entry }) => entry?.type ?? 'whole');
  }
}

function begin(still = false) {
  const drawing = new Slow();
  const failed: (string | undefined)[] = [];
  const states: MapState[] = [];
  const queue = new ActionQueue(drawing, { drawn: (state) => states.push(state), failed: (entry) => failed.push(entry?.type) }, () => still);
  return { drawing, failed, states, queue };
}

describe('the map', () => {
  it('begins as it is stored, at once', async () => {
    const { queue, drawing, states } = begin();
    await queue.follow('c1', SEED);
    expect(drawing.drawn).toEqual([{ entry: undefined, state: folded(SEED), moves: false }]);
    expect(states).toEqual([folded(SEED)]);
  });

  it('takes one action after the other, each when the one before is done', async () => {
    const { queue, drawing, states } = begin();
    await queue.follow('c1', []);
    void queue.follow('c1', SEED.slice(0, 2));
    void queue.follow('c1', SEED);
    expect(drawing.types).toEqual(['whole', 'setView']);
    await drawing.finish();
    expect(drawing.types).toEqual(['whole', 'setView', 'addMarker']);
    await drawing.finish();
    await drawing.finish();
    expect(drawing.types).toEqual(['whole', 'setView', 'addMarker', 'addLayer']);
    expect(drawing.drawn.slice(1).every(({ moves }) => moves)).toBe(true);
    expect(states.at(-1)).toEqual(folded(SEED));
  });

  it('does nothing twice when it hears the same again', async () => {
    const { queue, drawing } = begin();
    await queue.follow('c1', SEED);
    await queue.follow('c1', structuredClone(SEED));
    expect(drawing.types).toEqual(['whole']);
  });

  it('drops what is left to do when another conversation is opened', async () => {
    const { queue, drawing, states } = begin();
    await queue.follow('c1', []);
    void queue.follow('c1', SEED);
    await queue.follow('c2', [marker('other')]);
    await drawing.finish();
    expect(drawing.types).toEqual(['whole', 'setView', 'whole']);
    expect(states.at(-1)).toEqual(folded([marker('other')]));
    void queue.follow('c2', [marker('other'), layer('a')]);
    expect(drawing.types.at(-1)).toBe('addLayer');
  });

  it('is drawn anew on another branch', async () => {
    const { queue, drawing, states } = begin();
    await queue.follow('c1', SEED);
    await queue.follow('c1', [view(13)]);
    expect(drawing.types).toEqual(['whole', 'whole']);
    expect(states.at(-1)).toEqual(folded([view(13)]));
  });

  it('says what could not be done and goes on', async () => {
    const { queue, drawing, failed, states } = begin();
    drawing.fails = (entry) => entry?.type === 'addLayer';
    await queue.follow('c1', []);
    void queue.follow('c1', [layer('a'), marker('b')]);
    await drawing.finish();
    await drawing.finish();
    expect(failed).toEqual(['addLayer']);
    expect(drawing.types).toEqual(['whole', 'addLayer', 'addMarker']);
    expect(states.at(-1)?.markers).toHaveLength(1);
  });

  it('does not move for those who want it still', async () => {
    const { queue, drawing } = begin(true);
    await queue.follow('c1', []);
    void queue.follow('c1', SEED);
    expect(drawing.drawn.at(-1)).toMatchObject({ entry: view(), moves: false });
  });

  it('does nothing any more once it was left', async () => {
    const { queue, drawing, states } = begin();
    await queue.follow('c1', []);
    void queue.follow('c1', SEED);
    queue.stop();
    await drawing.finish();
    expect(drawing.types).toEqual(['whole', 'setView']);
    expect(states).toHaveLength(1);
  });
});

describe('the Swiss grid', () => {
  it('shows a town, an address and a parcel at their levels', () => {
    expect([13, 17, 18].map(resolutionOf)).toEqual([10, 1, 0.5]);
    expect(resolutionOf(0)).toBe(4000);
    expect(resolutionOf(28)).toBe(0.25);
    const levels = Array.from({ length: 29 }, (_, level) => resolutionOf(level));
    expect(levels).toEqual(levels.toSorted((one, other) => other - one));
  });

  it('has the 28 scales of the Swiss tiles, the coarsest first', () => {
    expect(RESOLUTIONS).toHaveLength(28);
    expect(RESOLUTIONS).toEqual(RESOLUTIONS.toSorted((one, other) => other - one));
  });

  it('finds the address of a tile', () => {
    expect(tileAddress('/t/{TileMatrix}/{TileRow}/{TileCol}.svg', [25, 3, 7])).toBe('/t/25/7/3.svg');
  });

  it('knows where places are: the old observatory in Bern, within two metres', () => {
    const [east, north] = fromDegrees([7.438_632_495, 46.951_082_877]);
    expect(Math.hypot(east - 2_600_000, north - 1_200_000)).toBeLessThan(2);
  });

  it('writes coordinates as people and as programs read them', () => {
    expect(written(HERE)).toBe('2’609’767 / 1’228’437');
    expect(plain(HERE)).toBe('2609767.1, 1228437.4');
  });

  it('keeps its lines apart and its bar round', () => {
    for (const resolution of RESOLUTIONS.slice(14)) {
      expect(gridStep(resolution) / resolution).toBeGreaterThanOrEqual(80);
      expect(barLength(resolution) / resolution).toBeLessThanOrEqual(64);
      expect(`${barLength(resolution)}`).toMatch(/^0?\.?[125]0*$/);
    }
  });
});
