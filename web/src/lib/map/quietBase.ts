/** The map under the map where none is set up: a sketch of the country and the lines of its grid. */
import Feature from 'ol/Feature';
import LineString from 'ol/geom/LineString';
import Polygon from 'ol/geom/Polygon';
import type BaseLayer from 'ol/layer/Base';
import VectorLayer from 'ol/layer/Vector';
import VectorSource from 'ol/source/Vector';
import { COUNTRY, LAKES, TOWNS } from './outlines';
import { areaStyle, feature, lineStyle, townStyle, type Palette } from './styles';
import { fromDegrees, GRID, gridStep } from './swiss';

const polygon = (line: readonly (readonly [number, number])[]) => new Feature(new Polygon([line.map(fromDegrees)]));
const still = { updateWhileAnimating: true, updateWhileInteracting: true };

export class QuietBase {
  #land = new VectorLayer({ source: new VectorSource({ features: [polygon(COUNTRY)] }), ...still, zIndex: 0 });
  #lakes = new VectorLayer({ source: new VectorSource({ features: LAKES.map(polygon) }), ...still, zIndex: 1 });
  #lines = new VectorLayer({ source: new VectorSource(), zIndex: 2 });
  #towns = new VectorLayer({
    source: new VectorSource({ features: TOWNS.map(({ name, at, from }) => feature(fromDegrees(at), { label: name, from })) }),
    declutter: true,
    zIndex: 900,
  });
  #step = 0;
  #around: readonly number[] = [];

  get layers(): BaseLayer[] {
    return [this.#land, this.#lakes, this.#lines, this.#towns];
  }

  paint(palette: Palette): void {
    this.#land.setStyle(areaStyle(palette.land, palette.border, 1.5));
    this.#lakes.setStyle(areaStyle(palette.water));
    this.#lines.setStyle(lineStyle(palette.grid));
    this.#towns.setStyle(townStyle(palette));
  }

  /** Lines for what is looked at: `extent` of the window, at this scale. */
  rule(extent: readonly number[], resolution: number): void {
    const step = gridStep(resolution);
    const [west, south, east, north] = extent.map((value, side) => clamp((side < 2 ? Math.floor : Math.ceil)(value / step) * step, side)) as [number, number, number, number];
    if (step === this.#step && `${this.#around}` === `${[west, south, east, north]}`) return;
    this.#step = step;
    this.#around = [west, south, east, north];
    const lines: Feature[] = [];
    for (let x = west; x <= east; x += step) lines.push(new Feature(new LineString([[x, south], [x, north]])));
    for (let y = south; y <= north; y += step) lines.push(new Feature(new LineString([[west, y], [east, y]])));
    const source = this.#lines.getSource()!;
    source.clear(true);
    source.addFeatures(lines);
  }
}

function clamp(value: number, side: number): number {
  return Math.min(Math.max(value, GRID[side % 2]!), GRID[(side % 2) + 2]!);
}
