/** Layers of which nothing is in sight. */
import Projection from 'ol/proj/Projection';
import TileState from 'ol/TileState';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EmptyTiles, isTransparent } from '../src/lib/map/emptyTiles';
import { olLayerOf } from '../src/lib/map/olLayers';
import type { MapLayer } from '../src/lib/map/state';
import { LIGHT } from '../src/lib/map/styles';
import { CRS, GRID } from '../src/lib/map/swiss';

const swiss = new Projection({ code: CRS, units: 'm', extent: GRID, metersPerUnit: 1 });
const layer = (type: MapLayer['type']): MapLayer => ({ id: 'a', type, source: { url: '/a', layers: null, format: null, legend: null, attribution: null }, visible: true, title: 'A', sample: false, opacity: 1 });
const around = (east: number, north: number) => [east - 100, north - 100, east + 100, north + 100];
const HERE = [2_609_767, 1_228_437] as const;

afterEach(() => vi.unstubAllGlobals());

describe('tiles', () => {
  it('are all empty only when each of them is known to be', () => {
    const emptyTiles = new EmptyTiles();
    emptyTiles.record('a', true);
    expect([emptyTiles.includesAll(['a']), emptyTiles.includesAll(['a', 'b']), emptyTiles.includesAll([])]).toEqual([true, false, false]);
    emptyTiles.record('b', false);
    expect(emptyTiles.includesAll(['a', 'b'])).toBe(false);
    emptyTiles.record('b', true);
    expect(emptyTiles.includesAll(['a', 'b'])).toBe(true);
    emptyTiles.record('b', undefined);
    expect(emptyTiles.includesAll(['a', 'b'])).toBe(false);
  });

  it('are transparent when no pixel is seen, however it is coloured', () => {
    expect(isTransparent(new Uint8ClampedArray([255, 0, 0, 0, 0, 0, 0, 0]))).toBe(true);
    expect(isTransparent(new Uint8ClampedArray([255, 0, 0, 0, 0, 0, 0, 1]))).toBe(false);
  });
});

describe('a layer of tiles', () => {
  /** A canvas that a test looks through; one that must not be looked at throws. */
  function canvas(read: () => number[]) {
    const context = { clearRect() {}, drawImage() {}, getImageData: () => ({ data: new Uint8ClampedArray(read()) }) };
    vi.stubGlobal('OffscreenCanvas', class { getContext = () => context; });
  }

  async function loaded(read: () => number[]) {
    vi.resetModules();
    canvas(read);
    const { olLayerOf } = await import('../src/lib/map/olLayers');
    const olLayer = olLayerOf(layer('wmts'), swiss, LIGHT, () => {});
    const [view, resolution] = [around(...HERE), 1];
    expect(olLayer.isEmptyIn(view, resolution), 'nothing has come yet').toBe(false);
    const source = olLayer.layer.getSource() as import('ol/source/TileImage').default;
    const grid = source.getTileGrid()!;
    grid.forEachTileCoord(view, grid.getZForResolution(resolution), (coord) => {
      const tile = { getTileCoord: () => coord, getImage: () => ({}), getState: () => TileState.LOADED };
      source.dispatchEvent({ type: 'tileloadend', tile } as never);
    });
    return olLayer.isEmptyIn(view, resolution);
  }

  it('is empty when all tiles of the view are there and empty', async () => {
    expect(await loaded(() => [0, 0, 0, 0])).toBe(true);
  });

  it('is not when something is on one of them', async () => {
    expect(await loaded(() => [9, 9, 9, 9])).toBe(false);
  });

  it('is not when their pixels cannot be read', async () => {
    expect(await loaded(() => { throw new Error('tainted'); })).toBe(false);
  });
});

describe('a layer with its own data', () => {
  const answers = (features: object[]) => vi.stubGlobal('fetch', () => Promise.resolve({ ok: true, json: () => Promise.resolve({ type: 'FeatureCollection', crs: { properties: { name: 'EPSG:2056' } }, features }) }));
  const point = (coordinates: readonly number[]) => ({ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates } });

  it('is empty where none of its features lies, once they are there', async () => {
    answers([point(HERE)]);
    const olLayer = olLayerOf(layer('geojson'), swiss, LIGHT, () => {});
    expect(olLayer.isEmptyIn(around(2_700_000, 1_100_000), 1), 'it is being fetched').toBe(false);
    await olLayer.ready;
    expect([olLayer.isEmptyIn(around(...HERE), 1), olLayer.isEmptyIn(around(2_700_000, 1_100_000), 1)]).toEqual([false, true]);
  });

  it('goes by what is drawn, not by the corners around it', async () => {
    answers([{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: [[2_600_000, 1_200_000], [2_610_000, 1_200_000], [2_610_000, 1_210_000]] } }]);
    const olLayer = olLayerOf(layer('geojson'), swiss, LIGHT, () => {});
    await olLayer.ready;
    expect([olLayer.isEmptyIn(around(2_602_000, 1_208_000), 1), olLayer.isEmptyIn(around(2_610_000, 1_205_000), 1)]).toEqual([true, false]);
  });

  it('is empty everywhere when it has nothing, and nowhere when it could not be fetched', async () => {
    answers([]);
    const empty = olLayerOf(layer('geojson'), swiss, LIGHT, () => {});
    await empty.ready;
    expect(empty.isEmptyIn(around(...HERE), 1)).toBe(true);
    vi.stubGlobal('fetch', () => Promise.resolve({ ok: false, status: 503 }));
    const failed = olLayerOf(layer('geojson'), swiss, LIGHT, () => {});
    await expect(failed.ready).rejects.toThrow();
    expect(failed.isEmptyIn(around(...HERE), 1)).toBe(false);
  });
});
