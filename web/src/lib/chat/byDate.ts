/** Conversations in the groups people look for them in: what they pinned, then by date. Pure. */

export const AGES = ['pinned', 'today', 'yesterday', 'week', 'older'] as const;
export type Age = (typeof AGES)[number];

export interface Group<Item> {
  age: Age;
  items: Item[];
}

/** In the order given, newest group first; groups without any are left out. Days begin at midnight where the user is. */
export function byDate<Item extends { updatedAt: string; pinned?: boolean }>(items: readonly Item[], now: number): Group<Item>[] {
  const groups = AGES.map((age): Group<Item> => ({ age, items: [] }));
  for (const item of items) groups[AGES.indexOf(item.pinned ? 'pinned' : ageOf(Date.parse(item.updatedAt), now))]!.items.push(item);
  return groups.filter((group) => group.items.length > 0);
}

function ageOf(at: number, now: number): Age {
  if (at >= midnight(now, 0)) return 'today';
  if (at >= midnight(now, 1)) return 'yesterday';
  return at >= midnight(now, 7) ? 'week' : 'older';
}

// By the calendar: a day is not always 24 hours long.
function midnight(now: number, daysAgo: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
}
