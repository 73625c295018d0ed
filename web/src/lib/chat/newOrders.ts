/** Orders of a run to the page that nobody has carried out yet. Pure; `obey.ts` carries them out. */
import type { Order, Picture } from '../run/reduce';

/** What was ordered between the two; nothing of what a page reads about later, unless it was there when the run began. */
export function newOrders(before: Picture | undefined, now: Picture, begunHere: boolean): Order['action'][] {
  const since = before?.seq ?? 0;
  if (since === 0 && !begunHere) return [];
  return now.orders.filter(({ seq }) => seq > since).map(({ action }) => action);
}
