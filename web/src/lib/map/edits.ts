/** What people have changed on a map by hand, each after a message: it counts after what was ordered there, on branches that have
 * this message, until something newer is ordered. Pure. */
import type { MapEdit } from '../api/types';
import type { MapAction } from './actions';
import type { Entry } from './state';

export interface Made {
  /** The last message there was. */
  after: string;
  edit: MapEdit;
}

/** A message, and what was ordered in it; without an id, what belongs to one that is not complete yet. */
export interface Said {
  messageId: string | null;
  orders: readonly MapAction[];
}

/** One more; of the same thing done twice after the same message only the last is kept, as the server does. */
export function withMade(made: readonly Made[], one: Made): Made[] {
  return [...made.filter((other) => !isSame(other, one)), one];
}

/** Orders and changes as they came. What was changed on another branch is not among them. */
export function woven(said: readonly Said[], made: readonly Made[]): Entry[] {
  const after = new Map<string | null, MapEdit[]>();
  for (const one of made) after.set(one.after, [...(after.get(one.after) ?? []), one.edit]);
  return said.flatMap(({ messageId, orders }) => [...orders, ...(after.get(messageId) ?? [])]);
}

function isSame(one: Made, other: Made): boolean {
  return one.after === other.after && one.edit.type === other.edit.type && layerOf(one.edit) === layerOf(other.edit);
}

function layerOf({ payload }: MapEdit): string {
  return 'id' in payload ? payload.id : '';
}
