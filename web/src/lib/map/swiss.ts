/** The Swiss grid (EPSG:2056, LV95) as plain metres: tiles, levels, and how coordinates read. Pure. */
import type { Coord } from './actions';

export const CRS = 'EPSG:2056';
export const ORIGIN: Coord = [2_420_000, 1_350_000];
export const GRID: [number, number, number, number] = [2_420_000, 1_030_000, 2_900_000, 1_350_000];
/** All of Switzerland, and a little around it. */
export const COUNTRY: [number, number, number, number] = [2_475_000, 1_065_000, 2_845_000, 1_305_000];

/** Metres per pixel of the tile matrices 0 to 27 of the Swiss WMTS. */
export const RESOLUTIONS: readonly number[] = [
  4000, 3750, 3500, 3250, 3000, 2750, 2500, 2250, 2000, 1750, 1500, 1250, 1000, 750, 650, 500, 250, 100, 50, 20, 10, 5, 2.5, 2, 1.5, 1, 0.5, 0.25,
];
/** The coarsest one that is worth looking at. */
export const WIDEST = 650;

// A web map shows a pixel of this many metres at level 0, at 46.8° north, in the middle of the country.
const LEVEL_0 = 156_543.034 * Math.cos((46.8 * Math.PI) / 180);

/** Metres per pixel of a level of `setView`. Levels are those of web maps (17 an address, 18 a parcel), taken at the nearest
 * scale that the Swiss tiles are drawn in. */
export function resolutionOf(zoom: number): number {
  const wanted = Math.log(LEVEL_0 / 2 ** zoom);
  return RESOLUTIONS.reduce((best, one) => (Math.abs(Math.log(one) - wanted) < Math.abs(Math.log(best) - wanted) ? one : best));
}

/** The address of a tile, from a template of the Swiss WMTS. */
export function tileAddress(template: string, [matrix, column, row]: readonly number[]): string {
  return template.replaceAll('{TileMatrix}', `${matrix}`).replaceAll('{TileCol}', `${column}`).replaceAll('{TileRow}', `${row}`);
}

/** Longitude and latitude to easting and northing: swisstopo's approximation, good to about a metre. */
export function fromDegrees([longitude, latitude]: readonly number[]): Coord {
  const l = (longitude! * 3600 - 26_782.5) / 10_000;
  const p = (latitude! * 3600 - 169_028.66) / 10_000;
  const east = 2_600_072.37 + 211_455.93 * l - 10_938.51 * l * p - 0.36 * l * p ** 2 - 44.54 * l ** 3;
  const north = 1_200_147.07 + 308_807.95 * p + 3_745.25 * l ** 2 + 76.63 * p ** 2 - 194.56 * l ** 2 * p + 119.79 * p ** 3;
  return [east, north];
}

/** `2’609’767 / 1’228’437`, as Swiss maps write it, in every language. */
export function written([east, north]: readonly number[]): string {
  return `${grouped(east!)} / ${grouped(north!)}`;
}

/** `2609767.1, 1228437.4`, as programs take it. */
export function plain([east, north]: readonly number[], digits = 1): string {
  return `${Number(east!.toFixed(digits))}, ${Number(north!.toFixed(digits))}`;
}

function grouped(value: number): string {
  return `${Math.round(value)}`.replace(/\B(?=(\d{3})+$)/g, '’');
}

/** The distance between lines of the grid at this scale: lines are far enough apart to stay quiet. */
export function gridStep(resolution: number): number {
  return [100, 500, 1_000, 5_000, 10_000, 50_000].find((step) => step / resolution >= 80) ?? 100_000;
}

/** A round length that fits a bar of so many pixels. */
export function barLength(resolution: number, widest = 64): number {
  const most = resolution * widest;
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((factor) => factor * power).find((length) => length <= most) ?? power;
}
