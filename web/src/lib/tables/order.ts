/** The order of the rows of a table by one of its columns. Pure. */
import { isNothing, readDates, readNumbers } from './cells';

export type Direction = 'ascending' | 'descending';

/** Up, down, and as it was. */
export function nextDirection(before: Direction | undefined): Direction | undefined {
  return before === undefined ? 'ascending' : before === 'ascending' ? 'descending' : undefined;
}

/** Places of the rows, in the new order. Rows with nothing in the column are last either way, before them words among numbers. */
export function sortedOrder(cells: readonly string[], direction: Direction, locale: string): number[] {
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const values = valuesOf(cells, locale);
  const back = direction === 'descending' ? -1 : 1;
  const rank = (at: number) => (isNothing(cells[at]!) ? 2 : values && values[at] === undefined ? 1 : 0);
  const compare = (a: number, b: number) => {
    if (rank(a) === 2) return 0;
    const [one, other] = [values?.[a], values?.[b]];
    if (one !== undefined && other !== undefined) return one - other;
    return values && one !== other ? 0 : collator.compare(cells[a]!, cells[b]!);
  };
  return cells.map((_, at) => at).sort((a, b) => rank(a) - rank(b) || back * compare(a, b) || a - b);
}

/** Undefined where most cells are words. */
function valuesOf(cells: readonly string[], locale: string): (number | undefined)[] | undefined {
  const said = cells.filter((cell) => !isNothing(cell)).length;
  return [readNumbers(cells), readDates(cells, locale)].find((values) => {
    const count = values.filter((value) => value !== undefined).length;
    return count > 0 && count * 3 >= said * 2;
  });
}
