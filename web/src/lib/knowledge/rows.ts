/** Files as lines of a table: what each column says of them, in which order, and what they come to. Pure. */
import { languageName } from './languages';
import { stageOf, type Stage } from './states';
import type { IndexedFile } from './types';
import type { Layer } from './view';

export const SORTS = ['name', 'state', 'passages', 'language', 'model', 'cost', 'updatedAt'] as const;
export type Sort = (typeof SORTS)[number];
export type Order = 'asc' | 'desc';

export interface Row {
  id: string;
  indexedFile: IndexedFile;
  stage: Stage;
  layer: Layer;
  name: string;
  updatedAt: string;
  /** Undefined where there is none, or it is unknown. */
  passages: number | undefined;
  language: string | undefined;
  model: string | undefined;
  cost: number | undefined;
}

export interface Sum {
  passages: number;
  /** In CHF. */
  cost: string;
  assumed: boolean;
}

// What needs attention first, then what needs time, then what is done.
const STAGES: readonly Stage['kind'][] = ['failed', 'waiting', 'reading', 'words', 'renewing', 'searchable', 'details', 'empty', 'archived'];
// By these one begins with the most, by others with the first.
const MOST_FIRST: readonly Sort[] = ['passages', 'cost', 'updatedAt'];

export function rowOf(indexedFile: IndexedFile, locale: string, modelName: (ref: string) => string): Row {
  const { file, status } = indexedFile;
  const known = status && status.chunks > 0 ? status : undefined;
  return {
    id: file.id,
    indexedFile,
    stage: stageOf(indexedFile),
    layer: layerOf(indexedFile),
    name: file.name,
    updatedAt: file.updatedAt,
    passages: known?.chunks,
    language: known && languageName(known.language, locale),
    model: known?.embedder ? modelName(known.embedder) : undefined,
    cost: status && (known || Number(status.costCHF) > 0) ? Number(status.costCHF) : undefined,
  };
}

export function layerOf({ file }: IndexedFile): Layer {
  return ({ MY: 'private', GROUP: 'instance', ALL: 'shared' } as const)[file.visibility];
}

/** What says nothing in the column comes last, whichever way it is sorted; equals by their names. */
export function sorted(rows: readonly Row[], sort: Sort, order: Order, locale: string): Row[] {
  const words = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const way = order === 'asc' ? 1 : -1;
  const byName = (one: Row, other: Row) => words.compare(one.name, other.name) || words.compare(one.id, other.id);
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one, sort), valueOf(other, sort)];
    if (a === undefined || b === undefined) return a === b ? byName(one, other) : a === undefined ? 1 : -1;
    const compared = typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b));
    return way * compared || byName(one, other);
  });
}

function valueOf(row: Row, sort: Sort): string | number | undefined {
  if (sort === 'state') return STAGES.indexOf(row.stage.kind);
  return sort === 'updatedAt' ? Date.parse(row.updatedAt) : row[sort];
}

/** Which way a column is sorted after a click on its head. */
export function orderAfter(clicked: Sort, sort: Sort, order: Order): Order {
  if (clicked === sort) return order === 'asc' ? 'desc' : 'asc';
  return MOST_FIRST.includes(clicked) ? 'desc' : 'asc';
}

export function sumOf(rows: readonly Row[]): Sum {
  return {
    passages: rows.reduce((sum, { passages = 0 }) => sum + passages, 0),
    cost: String(rows.reduce((sum, { cost = 0 }) => sum + cost, 0)),
    assumed: rows.some(({ cost, indexedFile }) => cost !== undefined && indexedFile.status?.costAssumed),
  };
}

/** How many wait for the vectors of another model; until then those they have are searched. */
export function leftToRenew(rows: readonly Row[]): number {
  return rows.filter(({ stage }) => stage.kind === 'renewing').length;
}
