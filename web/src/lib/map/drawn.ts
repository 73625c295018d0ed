/** A layer of the state as one that can be drawn. What its service does not give is told, once. */
import GeoJSON from 'ol/format/GeoJSON';
import type Layer from 'ol/layer/Layer';
import TileLayer from 'ol/layer/Tile';
import VectorLayer from 'ol/layer/Vector';
import type Projection from 'ol/proj/Projection';
import TileImage from 'ol/source/TileImage';
import TileWMS from 'ol/source/TileWMS';
import type UrlTile from 'ol/source/UrlTile';
import VectorSource from 'ol/source/Vector';
import TileGrid from 'ol/tilegrid/TileGrid';
import type { MapLayer } from './state';
import { dataStyle, type Palette } from './styles';
import { fromDegrees, GRID, ORIGIN, RESOLUTIONS, tileAddress } from './swiss';

const swissTiles = () => new TileGrid({ origin: ORIGIN, resolutions: [...RESOLUTIONS], extent: GRID, tileSize: 256 });

export function tiles(template: string, projection: Projection): TileLayer<TileImage> {
  const source = new TileImage({ projection, tileGrid: swissTiles(), tileUrlFunction: (place) => tileAddress(template, place) });
  return new TileLayer({ source });
}

export interface Drawn {
  layer: Layer;
  /** Done when its data are there, where it brings its own. */
  ready: Promise<void>;
}

export function drawnOf({ type, source }: MapLayer, projection: Projection, palette: Palette, failed: () => void): Drawn {
  switch (type) {
    case 'wmts':
      return asked(tiles(source.url, projection), failed);
    case 'wms': {
      const params = { LAYERS: source.layers ?? '', FORMAT: source.format ?? 'image/png', TRANSPARENT: 'TRUE', VERSION: '1.3.0' };
      return asked(new TileLayer({ source: new TileWMS({ url: source.url, params, projection, tileGrid: swissTiles() }) }), failed);
    }
    case 'geojson': {
      const from = new VectorSource();
      return { layer: new VectorLayer({ source: from, style: dataStyle(palette) }), ready: fill(from, source.url) };
    }
  }
}

function asked(layer: TileLayer<UrlTile>, failed: () => void): Drawn {
  layer.getSource()!.once('tileloaderror', failed);
  return { layer, ready: Promise.resolve() };
}

/** Data that say they are in Swiss metres are taken as they are; others are in degrees, as the format has it. */
async function fill(source: VectorSource, url: string): Promise<void> {
  const answer = await fetch(url, { credentials: 'same-origin' });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const data = (await answer.json()) as { crs?: { properties?: { name?: unknown } } };
  const isSwiss = /2056\D*$/.test(String(data.crs?.properties?.name ?? ''));
  const features = new GeoJSON().readFeatures({ ...data, crs: undefined });
  if (!isSwiss) for (const one of features) one.getGeometry()?.applyTransform(toSwiss);
  source.addFeatures(features);
}

function toSwiss(input: number[], output: number[] = input, dimension = 2): number[] {
  for (let at = 0; at < input.length; at += dimension) [output[at], output[at + 1]] = fromDegrees([input[at]!, input[at + 1]!]);
  return output;
}
