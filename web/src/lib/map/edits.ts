/** What a reader has changed on a map, each after so many orders: what is ordered later counts more. Pure. */
import type { ActionOf, MapAction } from './actions';
import type { Edit, Entry } from './state';

export type Change = Edit | ActionOf<'removeLayer'>;

export interface Made {
  /** How many orders there were. */
  after: number;
  edit: Change;
}

const KINDS: readonly string[] = ['showLayer', 'fadeLayer', 'sortLayers', 'closeExtract', 'removeLayer'] satisfies Change['type'][];

/** One more; of the same thing done twice in a row only the last is kept. */
export function withEdit(made: readonly Made[], after: number, edit: Change): Made[] {
  const isSame = (one: Made) => one.after === after && one.edit.type === edit.type && idOf(one.edit) === idOf(edit);
  return [...made.filter((one) => !isSame(one)), { after, edit }];
}

/** Orders and changes as they came. Where there are fewer orders than there were (another branch), changes come last. */
export function woven(orders: readonly MapAction[], made: readonly Made[]): Entry[] {
  const madeAfter = (count: number) => made.filter(({ after }) => after === count || (count === orders.length && after > count)).map(({ edit }) => edit);
  return [...madeAfter(0), ...orders.flatMap((order, index) => [order, ...madeAfter(index + 1)])];
}

/** As kept on a device, where anything may stand. */
export function readEdits(text: string | null): Made[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(read) ? read.filter(isMade) : [];
  } catch {
    return [];
  }
}

function isMade(one: unknown): one is Made {
  const { after, edit } = (one ?? {}) as Partial<Made>;
  if (!Number.isSafeInteger(after) || !edit || !KINDS.includes(edit.type)) return false;
  const { id, visible, opacity, ids } = (edit.payload ?? {}) as Record<string, unknown>;
  switch (edit.type) {
    case 'showLayer':
      return typeof id === 'string' && typeof visible === 'boolean';
    case 'fadeLayer':
      return typeof id === 'string' && typeof opacity === 'number' && opacity >= 0 && opacity <= 1;
    case 'sortLayers':
      return Array.isArray(ids);
    case 'removeLayer':
      return typeof id === 'string';
    case 'closeExtract':
      return true;
  }
}

function idOf({ payload }: Change): string {
  return 'id' in payload ? payload.id : '';
}
