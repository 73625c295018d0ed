/** The map on the screen: OpenLayers, told what to show. Everything that knows of it is in this file, `olLayers.ts`, `quietBase.ts`
 * and `styles.ts`, which are fetched when a map is first shown. */
import type Feature from 'ol/Feature';
import type Point from 'ol/geom/Point';
import { defaults as interactions } from 'ol/interaction/defaults';
import type Layer from 'ol/layer/Layer';
import VectorLayer from 'ol/layer/Vector';
import OlMap from 'ol/Map';
import type MapBrowserEvent from 'ol/MapBrowserEvent';
import Projection from 'ol/proj/Projection';
import VectorSource from 'ol/source/Vector';
import View from 'ol/View';
import type { Drawing } from './actionQueue';
import type { Coord } from './actions';
import type { Offer } from './offers.svelte';
import { olLayerOf, tiles, type OlLayer } from './olLayers';
import { QuietBase } from './quietBase';
import { seen, type Entry, type MapLayer, type MapState, type Marker } from './state';
import { crossStyle, feature, LIGHT, offerStyle, pinStyle, type Palette } from './styles';
import { COUNTRY, CRS, GRID, resolutionOf, RESOLUTIONS, WIDEST } from './swiss';

const MOTION_MS = 140;
const REACH = 17; // pixels around what can be chosen

/** What the map tells of itself. */
export interface Listener {
  moved(center: Coord, resolution: number): void;
  /** Under the pointer; nothing when it has left. */
  pointed(coord: Coord | null): void;
  clicked(coord: Coord): void;
  chose(option: string): void;
  layerFailed(layer: MapLayer): void;
  /** Of these layers nothing is in sight where the map is now. */
  emptyLayersChanged(layers: readonly string[]): void;
}

export class Canvas implements Drawing {
  #projection = new Projection({ code: CRS, units: 'm', extent: GRID, metersPerUnit: 1 });
  #view = new View({
    projection: this.#projection,
    resolutions: RESOLUTIONS.filter((one) => one <= WIDEST),
    constrainResolution: true,
    extent: GRID,
    constrainOnlyCenter: true,
    enableRotation: false,
    center: [2_660_000, 1_185_000],
    resolution: WIDEST,
  });
  #base = new QuietBase();
  #markers = new VectorLayer({ source: new VectorSource(), zIndex: 1000 });
  #offers = new VectorLayer({ source: new VectorSource(), zIndex: 1001 });
  #cross = new VectorLayer({ source: new VectorSource(), zIndex: 999 });
  #signs: readonly Feature<Point>[] = [];
  #layers = new Map<string, { of: MapLayer; layer: Layer; isEmptyIn: OlLayer['isEmptyIn'] }>();
  #map: OlMap;
  #palette = LIGHT;
  #shown: MapState['view'] = null;
  #looked: string | null = null;
  #offered = '';

  constructor(
    readonly target: HTMLElement,
    readonly listener: Listener,
  ) {
    this.#map = new OlMap({
      target,
      view: this.#view,
      controls: [],
      interactions: interactions({ altShiftDragRotate: false, pinchRotate: false, zoomDuration: MOTION_MS }),
      layers: [...this.#base.layers, this.#cross, this.#markers, this.#offers],
    });
    this.#map.on('moveend', () => this.#moved());
    this.#map.once('rendercomplete', () => this.#moved()); // a map that is drawn once has not moved
    this.#map.on('rendercomplete', () => this.#complete());
    this.#map.on('pointermove', (event) => this.#pointed(event));
    this.#map.on('click', (event) => this.#clicked(event));
    this.#map.getViewport().addEventListener('pointerleave', () => listener.pointed(null));
    this.#country();
  }

  async draw(state: MapState, entry?: Entry, moves = false): Promise<void> {
    const fresh = this.#lay(state.layers);
    this.#mark(seen(state.markers));
    const goes = entry ? entry.type === 'setView' || entry.type === 'clearMap' : JSON.stringify(state.view) !== JSON.stringify(this.#shown);
    this.#shown = state.view;
    await Promise.all([fresh, goes ? this.#go(state.view, moves) : undefined]);
  }

  paint(palette: Palette): void {
    this.#palette = palette;
    this.#base.paint(palette);
    this.#markers.setStyle(pinStyle(palette, () => this.#signs));
    this.#offers.setStyle(offerStyle(palette, () => this.#looked));
    this.#cross.setStyle(crossStyle(palette));
  }

  /** A real map instead of the sketch. */
  lay(template: string): void {
    for (const layer of this.#base.layers) layer.setVisible(false);
    const base = tiles(template, this.#projection);
    base.setZIndex(3);
    this.#map.addLayer(base);
  }

  /** What can be chosen; all of it comes into sight when it is new. */
  offer(offers: readonly Offer[], looked: string | null): void {
    this.#looked = looked;
    const key = JSON.stringify(offers.map(({ option, markers }) => [option, markers]));
    if (key === this.#offered) return this.#offers.changed();
    this.#offered = key;
    const source = this.#offers.getSource()!;
    source.clear(true);
    source.addFeatures(offers.flatMap(({ option, number, markers }) => markers.map(({ coord, label }) => feature(coord, { option, number, label }))));
    if (offers.length > 0) this.#view.fit(source.getExtent()!, { padding: [60, 60, 60, 60], minResolution: RESOLUTIONS.at(-1)! });
  }

  cross(coord: Coord | null): void {
    const source = this.#cross.getSource()!;
    source.clear();
    if (coord) source.addFeature(feature(coord, {}));
  }

  zoom(by: 1 | -1, moves: boolean): void {
    const zoom = this.#view.getConstrainedZoom((this.#view.getZoom() ?? 0) + by);
    if (zoom !== undefined) this.#view.animate({ zoom, duration: moves ? MOTION_MS : 0 });
  }

  /** So many pixels of it lie under something else: at the top, right, bottom, left. What is in the middle stays in the middle of
   * what one sees. */
  cover(...sides: [number, number, number, number]): void {
    const center = this.#view.getCenter();
    this.#view.padding = sides;
    if (center) this.#view.setCenter(center);
  }

  leave(): void {
    this.#map.setTarget(undefined);
    this.#map.dispose();
  }

  /** Those that stay are changed, not made anew: nothing flickers. */
  async #lay(layers: readonly MapLayer[]): Promise<void> {
    for (const [id, { layer }] of this.#layers) {
      if (layers.some((one) => one.id === id)) continue;
      this.#map.removeLayer(layer);
      this.#layers.delete(id);
    }
    await Promise.all(layers.map((layer, place) => this.#put(layer, place)));
  }

  #put(one: MapLayer, place: number): Promise<void> | undefined {
    const before = this.#layers.get(one.id);
    const isSame = before?.of.type === one.type && JSON.stringify(before.of.source) === JSON.stringify(one.source);
    if (before && !isSame) this.#map.removeLayer(before.layer);
    const made = before && isSame ? undefined : olLayerOf(one, this.#projection, this.#palette, () => this.listener.layerFailed(one));
    const { layer, isEmptyIn } = made ?? before!;
    layer.setVisible(one.visible);
    layer.setOpacity(one.opacity);
    layer.setZIndex(10 + place);
    this.#layers.set(one.id, { of: one, layer, isEmptyIn });
    if (made) this.#map.addLayer(layer);
    return made?.ready.catch(() => this.listener.layerFailed(one));
  }

  #mark(markers: readonly Marker[]): void {
    const source = this.#markers.getSource()!;
    source.clear(true);
    this.#signs = markers.map(({ id, coord, label }) => feature(coord, { id, label }));
    source.addFeatures([...this.#signs]);
  }

  #go(view: MapState['view'], moves: boolean): Promise<void> | undefined {
    this.#view.cancelAnimations();
    if (view === null) return void this.#country();
    const [center, resolution] = [view.center, resolutionOf(view.zoom)];
    if (!moves) {
      this.#view.setCenter(center);
      this.#view.setResolution(resolution);
      return undefined;
    }
    return new Promise((done) => this.#view.animate({ center, resolution, duration: MOTION_MS }, () => done()));
  }

  #country(): void {
    this.#view.fit(COUNTRY);
  }

  #moved(): void {
    const [center, resolution, size] = [this.#view.getCenter(), this.#view.getResolution(), this.#map.getSize()];
    if (!center || !resolution || !size) return;
    this.#base.rule(this.#view.calculateExtent(size), resolution);
    this.listener.moved(center as Coord, resolution);
  }

  /** Everything that is to be drawn here is drawn. */
  #complete(): void {
    const [resolution, size] = [this.#view.getResolution(), this.#map.getSize()];
    if (!resolution || !size) return;
    const view = this.#view.calculateExtent(size);
    const empty = [...this.#layers].filter(([, { of, isEmptyIn }]) => of.visible && isEmptyIn(view, resolution));
    this.listener.emptyLayersChanged(empty.map(([id]) => id));
  }

  /** The nearest within reach of a finger. Counted, because reading the canvas back is slow. */
  #offerAt({ coordinate }: MapBrowserEvent): string | undefined {
    const [nearest, resolution] = [this.#offers.getSource()!.getClosestFeatureToCoordinate(coordinate), this.#view.getResolution() ?? 0];
    const [x = 0, y = 0] = nearest?.getGeometry()?.getClosestPoint(coordinate) ?? [];
    const isNear = nearest && Math.hypot(x - coordinate[0]!, y - coordinate[1]!) <= REACH * resolution;
    return isNear ? (nearest.get('option') as string) : undefined;
  }

  #pointed(event: MapBrowserEvent): void {
    if (event.dragging) return;
    this.target.classList.toggle('choosable', this.#offerAt(event) !== undefined);
    this.listener.pointed(event.coordinate as Coord);
  }

  #clicked(event: MapBrowserEvent): void {
    const option = this.#offerAt(event);
    if (option === undefined) this.listener.clicked(event.coordinate as Coord);
    else this.listener.chose(option);
  }
}
