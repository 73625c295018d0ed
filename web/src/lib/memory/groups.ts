/** What is remembered, by what it is: companies, amounts, dates, persons; in each what counts most first. Pure. */
import type { Entity } from './types';

export const KINDS = ['company', 'amount', 'date', 'person', 'other'] as const;
export type Kind = (typeof KINDS)[number];

export interface Group {
  kind: Kind;
  entities: readonly Entity[];
}

/** Only groups that have something in them. */
export function groupsOf(entities: readonly Entity[]): Group[] {
  return KINDS.map((kind) => ({ kind, entities: entities.filter(({ key }) => kindOf(key) === kind).toSorted(byWeight) })).filter(({ entities: found }) => found.length > 0);
}

/** A newer server may tell apart more than this page does. */
export function kindOf(key: string): Kind {
  const name = key.slice(key.indexOf(':') + 1);
  return KINDS.find((kind) => kind === name) ?? 'other';
}

/** What was met most often, then what was met last; in the end by its words, so that nothing jumps. */
function byWeight(one: Entity, other: Entity): number {
  return other.times - one.times || Date.parse(other.updatedAt) - Date.parse(one.updatedAt) || one.value.localeCompare(other.value);
}
