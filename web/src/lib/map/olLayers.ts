/** Layers of the map as layers of OpenLayers. A service that fails is reported once. */
import type { Extent } from 'ol/extent';
import GeoJSON from 'ol/format/GeoJSON';
import type ImageTile from 'ol/ImageTile';
import type Layer from 'ol/layer/Layer';
import TileLayer from 'ol/layer/Tile';
import VectorLayer from 'ol/layer/Vector';
import type Projection from 'ol/proj/Projection';
import TileImage from 'ol/source/TileImage';
import TileWMS from 'ol/source/TileWMS';
import type UrlTile from 'ol/source/UrlTile';
import VectorSource from 'ol/source/Vector';
import TileGrid from 'ol/tilegrid/TileGrid';
import { EmptyTiles, isTransparent } from './emptyTiles';
import type { MapLayer } from './state';
import { dataStyle, type Palette } from './styles';
import { fromDegrees, GRID, ORIGIN, RESOLUTIONS, tileAddress } from './swiss';

const SMALL = 64; // pixels
let sample: OffscreenCanvasRenderingContext2D | undefined;

const swissTiles = () => new TileGrid({ origin: ORIGIN, resolutions: [...RESOLUTIONS], extent: GRID, tileSize: 256 });

export function tiles(template: string, projection: Projection): TileLayer<TileImage> {
  const source = new TileImage({ projection, tileGrid: swissTiles(), tileUrlFunction: (place) => tileAddress(template, place) });
  return new TileLayer({ source });
}

export interface OlLayer {
  layer: Layer;
  /** Done when its data are there, where it brings its own. */
  ready: Promise<void>;
  /** Everything of it that belongs into this view is loaded, and nothing is visible. */
  isEmptyIn(view: Extent, resolution: number): boolean;
}

export function olLayerOf({ type, source }: MapLayer, projection: Projection, palette: Palette, failed: () => void): OlLayer {
  switch (type) {
    case 'wmts':
      return tileLayer(tiles(source.url, projection), failed);
    case 'wms': {
      const params = { LAYERS: source.layers ?? '', FORMAT: source.format ?? 'image/png', TRANSPARENT: 'TRUE', VERSION: '1.3.0' };
      return tileLayer(new TileLayer({ source: new TileWMS({ url: source.url, params, projection, tileGrid: swissTiles() }) }), failed);
    }
    case 'geojson': {
      const from = new VectorSource();
      let isFilled = false;
      const ready = fill(from, source.url).then(() => void (isFilled = true));
      const isEmptyIn = (view: Extent) => isFilled && from.forEachFeatureIntersectingExtent(view, () => true) !== true;
      return { layer: new VectorLayer({ source: from, style: dataStyle(palette) }), ready, isEmptyIn };
    }
  }
}

function tileLayer(layer: TileLayer<UrlTile>, failed: () => void): OlLayer {
  const [source, emptyTiles] = [layer.getSource()!, new EmptyTiles()];
  source.once('tileloaderror', failed);
  source.on('tileloadend', ({ tile }) => emptyTiles.record(String(tile.getTileCoord()), isEmptyTile((tile as ImageTile).getImage())));
  const isEmptyIn = (view: Extent, resolution: number) => {
    const [grid, tiles]: [TileGrid, string[]] = [source.getTileGrid()!, []];
    grid.forEachTileCoord(view, grid.getZForResolution(resolution), (tile) => tiles.push(String(tile)));
    return emptyTiles.includesAll(tiles);
  };
  return { layer, ready: Promise.resolve(), isEmptyIn };
}

/** Decided on a small copy. Undefined for an image of another server, whose pixels cannot be read. */
function isEmptyTile(image: CanvasImageSource): boolean | undefined {
  sample ??= new OffscreenCanvas(SMALL, SMALL).getContext('2d', { willReadFrequently: true })!;
  try {
    sample.clearRect(0, 0, SMALL, SMALL);
    sample.drawImage(image, 0, 0, SMALL, SMALL);
    return isTransparent(sample.getImageData(0, 0, SMALL, SMALL).data);
  } catch {
    sample = undefined; // what was drawn on it cannot be taken off
    return undefined;
  }
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
