/** Actions a run has requested and the page has not performed yet. Pure; `performAction.ts` performs them. */
import type { UiAction } from '../run/events';
import type { RunView } from '../run/reduce';

/** Those requested between the two views; none that this page reads about afterwards, unless the run was started here. */
export function newActions(before: RunView | undefined, now: RunView, begunHere: boolean): UiAction[] {
  const since = before?.seq ?? 0;
  if (since === 0 && !begunHere) return [];
  return now.actions.filter(({ seq }) => seq > since).map(({ action }) => action);
}
