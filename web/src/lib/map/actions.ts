/** Actions on the map, validated. What is not understood is left to newer pages. Pure. */
import type { Actions } from '../events/schema';

type Name = Exclude<keyof Actions, 'openFile'>;
export type Coord = [number, number];
export type MapAction = { [Each in Name]: { type: Each; payload: Actions[Each] } }[Name];
export type ActionOf<Type extends Name> = Extract<MapAction, { type: Type }>;

type Payload = Record<string, unknown>;

const LAYER_TYPES: readonly string[] = ['wmts', 'wms', 'geojson'] satisfies Actions['addLayer']['type'][];
const HIGHEST_ZOOM = 28;

const READERS: { [Each in Name]: (payload: Payload) => Actions[Each] | undefined } = {
  setView: ({ center, zoom, crs }) => {
    const at = coordIn(center);
    if (!at || typeof zoom !== 'number' || !(zoom >= 0 && zoom <= HIGHEST_ZOOM) || (crs ?? 'EPSG:2056') !== 'EPSG:2056') return undefined;
    return { center: at, zoom, crs: 'EPSG:2056' };
  },
  addMarker: ({ id, coord, label }) => {
    const at = coordIn(coord);
    return at && isName(id) ? { id, coord: at, style: 'pin-default', label: text(label) ?? '' } : undefined;
  },
  addLayer: ({ id, type, source, visible, title, sample }) => {
    const from = typeof source === 'object' && source !== null ? (source as Payload) : {};
    const url = text(from['url']);
    if (!isName(id) || !LAYER_TYPES.includes(String(type)) || url === null || !isAddress(url)) return undefined;
    const legend = text(from['legend']);
    return {
      id,
      type: type as Actions['addLayer']['type'],
      source: { url, layers: text(from['layers']), format: text(from['format']), legend: legend !== null && isAddress(legend) ? legend : null, attribution: text(from['attribution']) },
      visible: visible !== false,
      title: text(title),
      sample: sample === true,
    };
  },
  removeLayer: ({ id }) => (isName(id) ? { id } : undefined),
  showOerebExtract: ({ egrid, url }) => (isName(egrid) ? { egrid, url: typeof url === 'string' && isAddress(url) ? url : '' } : undefined),
  clearMap: () => ({}),
};

export function isMapType(type: string): type is Name {
  return Object.hasOwn(READERS, type);
}

export function mapActionOf({ type, payload }: { type: string; payload?: Payload | undefined }): MapAction | undefined {
  if (!isMapType(type)) return undefined;
  const read = READERS[type](payload ?? {});
  return read && ({ type, payload: read } as MapAction);
}

export function mapActionsIn(actions: readonly { type: string; payload?: Payload | undefined }[]): MapAction[] {
  return actions.flatMap((action) => mapActionOf(action) ?? []);
}

/** Of this server, or on the web: nothing that a browser would run. */
function isAddress(url: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(url) || /^\/(?![/\\])[^\s]*$/.test(url);
}

function coordIn(value: unknown): Coord | undefined {
  return Array.isArray(value) && value.length === 2 && value.every((one) => Number.isFinite(one)) ? (value as Coord) : undefined;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
