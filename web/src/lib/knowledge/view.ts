/** What is searched for, and where: read from the address of the page and put back into it. Pure. */
import { knowledgePath } from '../router';
import { SORTS, type Order, type Sort } from './rows';

/** Who can read a file: only its owner, the workspace, or everybody. */
export type Layer = 'private' | 'instance' | 'shared';

export interface View {
  tab: 'search' | 'files';
  /** Which files are listed; all of them when none is named. */
  layer?: Layer | undefined;
  /** What their names have in them, and by which column they are sorted. */
  name: string;
  sort: Sort;
  order: Order;
  q: string;
  /** Only in these; in all when there are none. */
  files: readonly string[];
  /** Without what only means something similar. */
  wordsOnly: boolean;
}

export const LAYERS: readonly Layer[] = ['private', 'instance', 'shared'];
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LONGEST = 2_000; // an address has to fit it
const LONGEST_NAME = 200;
const MOST_FILES = 20;

/** What makes no sense in an address is left out. */
export function readView(query: string): View {
  const given = new URLSearchParams(query);
  return {
    tab: given.get('tab') === 'files' ? 'files' : 'search',
    layer: LAYERS.find((layer) => layer === given.get('layer')),
    name: (given.get('name') ?? '').trim().slice(0, LONGEST_NAME),
    sort: SORTS.find((sort) => sort === given.get('sort')) ?? 'updatedAt',
    order: given.get('order') === 'asc' ? 'asc' : 'desc',
    q: (given.get('q') ?? '').trim().slice(0, LONGEST),
    files: [...new Set(given.getAll('file'))].filter((id) => ID.test(id)).slice(0, MOST_FILES),
    wordsOnly: given.has('words'),
  };
}

export function viewPath(slug: string, { tab, layer, name, sort, order, q, files = [], wordsOnly }: Partial<View>): string {
  const query = new URLSearchParams();
  if (tab === 'files') {
    query.set('tab', 'files');
    if (layer) query.set('layer', layer);
    if (name) query.set('name', name);
    if (sort && sort !== 'updatedAt') query.set('sort', sort);
    if (order === 'asc') query.set('order', order);
  }
  if (q) query.set('q', q);
  for (const id of files) query.append('file', id);
  if (wordsOnly) query.set('words', '1');
  const text = query.toString();
  return knowledgePath(slug) + (text ? `?${text}` : '');
}

/** The same question is not asked twice. */
export function sameQuestion(one: View, other: View): boolean {
  return one.q === other.q && one.wordsOnly === other.wordsOnly && one.files.join() === other.files.join();
}
