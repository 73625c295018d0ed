/** A chart as the server describes it (core/charts.py): its axis, its points in order, and one that stands in an answer as JSON.
 * Pure. */
import type { Widgets } from '../events/schema';

export type Chart = Widgets['drawnChart']['chart'];
export type Category = Chart['categories'][number];
export type AxisKind = 'text' | 'number' | 'date';

const KINDS: readonly string[] = ['bar', 'line', 'area', 'scatter', 'pie'] satisfies Chart['kind'][];
const MOST_SERIES = 12;
const MOST_PARTS = 12;
const MOST_BARS = 200;
const MOST_POINTS = 5_000;
const LARGEST = 1e15;
const LONGEST = 200;
const DATE = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?)?)?$/;

export function axisOf(categories: readonly Category[]): AxisKind {
  if (categories.length === 0) return 'text';
  if (categories.every((one) => typeof one === 'number')) return 'number';
  return categories.every((one) => typeof one === 'string' && momentOf(one) !== undefined) ? 'date' : 'text';
}

/** The moment that `2026-03`, `2026-03-31` or `2026-03-31T08:00` means, in UTC. */
export function momentOf(text: string): number | undefined {
  const found = DATE.exec(text);
  if (!found) return undefined;
  const [, year, month, day = '01', hour = '00', minute = '00', second = '00', zone = 'Z'] = found;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  // Some engines carry the 31st of February over into March.
  return Number.isNaN(at) || new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day) ? undefined : at;
}

/** Places of the categories from left to right: by time or size where they stand to scale. */
export function placesInOrder({ kind, categories }: Chart): number[] {
  const places = categories.map((_, at) => at);
  const axis = axisOf(categories);
  if (axis === 'text' || (kind !== 'line' && kind !== 'area')) return places;
  const value = (at: number) => (axis === 'number' ? (categories[at] as number) : momentOf(categories[at] as string)!);
  return places.sort((a, b) => value(a) - value(b) || a - b);
}

/** Whether the numbers are years, which are not grouped by thousands. */
export function areYears(categories: readonly Category[]): boolean {
  return categories.every((one) => typeof one === 'number' && Number.isInteger(one) && one >= 1_000 && one < 3_000);
}

/** What a block of code in an answer describes; undefined if it cannot be drawn. */
export function chartIn(code: string): Chart | undefined {
  try {
    return checked(JSON.parse(code));
  } catch {
    return undefined;
  }
}

function checked(given: unknown): Chart | undefined {
  if (!isRecord(given) || !Array.isArray(given['categories']) || !Array.isArray(given['series'])) return undefined;
  const { kind, categories } = given;
  const series = given['series'].map((one: unknown) => (isRecord(one) ? { name: one['name'] ?? '', values: one['values'] } : undefined));
  const words = [given['title'] ?? '', given['xLabel'] ?? '', given['yLabel'] ?? '', given['unit'] ?? ''];
  const isWhole =
    KINDS.includes(String(kind)) &&
    words.every(isText) &&
    categories.length > 0 &&
    categories.every((one) => isText(one) || isNumber(one)) &&
    series.length > 0 &&
    series.length <= MOST_SERIES &&
    series.length * categories.length <= MOST_POINTS &&
    series.every((one) => one && isText(one.name) && Array.isArray(one.values) && one.values.length === categories.length && one.values.every((value) => value === null || isNumber(value)));
  if (!isWhole) return undefined;
  const [title, xLabel, yLabel, unit] = words as [string, string, string, string];
  const flags = { stacked: given['stacked'] === true, horizontal: given['horizontal'] === true };
  const chart = { kind, title, xLabel, yLabel, unit, categories, series, ...flags } as Chart;
  return isDrawable(chart) ? chart : undefined;
}

/** The laws of the single kinds. */
function isDrawable({ kind, categories, series }: Chart): boolean {
  const numbers = series.flatMap(({ values }) => values).filter((value) => value !== null);
  if (numbers.length === 0) return false;
  if (series.length > 1 && new Set(series.map(({ name }) => name.trim()).filter(Boolean)).size < series.length) return false;
  if (kind === 'bar') return categories.length <= MOST_BARS;
  if (kind === 'scatter') return axisOf(categories) !== 'text';
  return kind !== 'pie' || (series.length === 1 && categories.length <= MOST_PARTS && numbers.every((value) => value >= 0) && numbers.some((value) => value > 0));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= LARGEST;
}
