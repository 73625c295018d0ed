/** A chart as the table behind it: a row for each category, in the order of one of its columns. Pure. */
import type { Direction } from '../tables/order';
import type { Cell } from '../tables/export';
import { axisOf, momentOf, type Chart } from './chart';
import type { ChartWords } from './words';

export interface Sorting {
  /** 0 is the category, the others are the series. */
  column: number;
  direction: Direction;
}

export function sortedRows({ categories, series }: Chart, { column, direction }: Sorting | Partial<Sorting>, locale: string): number[] {
  const places = categories.map((_, at) => at);
  if (column === undefined) return places;
  const axis = axisOf(categories);
  const words = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const back = direction === 'descending' ? -1 : 1;
  const value = (at: number) => (column > 0 ? (series[column - 1]!.values[at] ?? undefined) : axis === 'number' ? (categories[at] as number) : axis === 'date' ? momentOf(categories[at] as string) : undefined);
  const compare = (a: number, b: number) => {
    if (column === 0 && axis === 'text') return back * words.compare(String(categories[a]), String(categories[b]));
    const [one, other] = [value(a), value(b)];
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined); // gaps are last
    return back * (one - other);
  };
  return places.sort((a, b) => compare(a, b) || a - b);
}

/** For spreadsheets: categories as they are known, so that dates stay dates; values as numbers. */
export function cellsOf({ categories, series, unit }: Chart, head: string, words: ChartWords, order: readonly number[]): Cell[][] {
  const names = series.map(({ name }) => [name || words.nameless, unit && `(${unit})`].filter(Boolean).join(' '));
  return [[head, ...names], ...order.map((at) => [categories[at]!, ...series.map(({ values }) => values[at] ?? null)])];
}
