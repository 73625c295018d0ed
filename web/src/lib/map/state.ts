/** What is on the map, reduced from actions and edits. Pure: the same log gives the same map. */
import type { MapEdit } from '../api/types';
import type { ActionOf, Coord, MapAction } from './actions';

export interface Marker {
  id: string;
  coord: Coord;
  label: string;
  /** False for one that was taken off the map and may be put back. */
  visible: boolean;
}

export type MapLayer = Pick<ActionOf<'addLayer'>['payload'], 'id' | 'type' | 'source' | 'visible'> & {
  title: string;
  sample: boolean;
  opacity: number;
};

export interface MapState {
  view: { center: Coord; zoom: number } | null;
  markers: readonly Marker[];
  /** The lowest first. */
  layers: readonly MapLayer[];
  extract: { egrid: string; url: string } | null;
}

/** An action of a run or an edit by hand; `removeLayer` is the same in both. */
export type Entry = MapAction | MapEdit;

/** What lies under a layer is seen through it, until its reader wants it otherwise. */
export const OPACITY = 0.7;

export const EMPTY: MapState = { view: null, markers: [], layers: [], extract: null };

export function folded(log: readonly Entry[], from: MapState = EMPTY): MapState {
  return log.reduce(applied, from);
}

export function applied(state: MapState, entry: Entry): MapState {
  switch (entry.type) {
    case 'setView':
      return { ...state, view: { center: entry.payload.center as Coord, zoom: entry.payload.zoom } };
    case 'addMarker': {
      const { id, coord, label } = entry.payload;
      return { ...state, markers: put(state.markers, { id, coord: coord as Coord, label, visible: true }) };
    }
    case 'addLayer': {
      const { id, type, source, visible, title, sample } = entry.payload;
      const opacity = state.layers.find((layer) => layer.id === id)?.opacity ?? OPACITY;
      return { ...state, layers: put(state.layers, { id, type, source, visible, title: title ?? id, sample: sample ?? false, opacity }) };
    }
    case 'removeLayer':
      return { ...state, layers: state.layers.filter(({ id }) => id !== entry.payload.id) };
    case 'showOerebExtract':
      return { ...state, extract: { egrid: entry.payload.egrid, url: entry.payload.url } };
    case 'clearMap':
      return EMPTY;
    case 'showLayer':
      return withLayer(state, entry.payload.id, { visible: entry.payload.visible });
    case 'fadeLayer':
      return withLayer(state, entry.payload.id, { opacity: entry.payload.opacity });
    case 'sortLayers':
      return { ...state, layers: sorted(state.layers, entry.payload.ids) };
    case 'showMarker':
      return { ...state, markers: state.markers.map((one) => (one.id === entry.payload.id ? { ...one, visible: entry.payload.visible } : one)) };
    case 'closeExtract':
      return { ...state, extract: null };
  }
}

/** Those that are on the map. */
export function seen(markers: readonly Marker[]): readonly Marker[] {
  return markers.filter(({ visible }) => visible);
}

/** Whether there is anything to look at. */
export function isEmpty({ view, markers, layers, extract }: MapState): boolean {
  return view === null && extract === null && seen(markers).length === 0 && layers.length === 0;
}

/** In the place of the one with the same id, else on top. */
function put<Thing extends { id: string }>(things: readonly Thing[], thing: Thing): readonly Thing[] {
  const at = things.findIndex(({ id }) => id === thing.id);
  return at < 0 ? [...things, thing] : things.with(at, thing);
}

function withLayer(state: MapState, id: string, change: Partial<MapLayer>): MapState {
  return { ...state, layers: state.layers.map((layer) => (layer.id === id ? { ...layer, ...change } : layer)) };
}

/** Those that are not named stay above the others, as they were. */
function sorted(layers: readonly MapLayer[], ids: readonly string[]): readonly MapLayer[] {
  const place = ({ id }: MapLayer) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  return layers.toSorted((one, other) => place(one) - place(other));
}
