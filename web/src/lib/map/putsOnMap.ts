/** Whether a run has put something on the map, or asks about what lies on it. Pure. */
import { openPause, type RunView } from '../run/reduce';
import { mapActionsIn, type MapAction } from './actions';
import { offersIn } from './offers.svelte';

const PUTS: readonly MapAction['type'][] = ['setView', 'addMarker', 'addLayer', 'showOerebExtract'];

export function putsOnMap(runView: RunView): boolean {
  const asked = openPause(runView)?.pause;
  if (asked?.kind === 'choice' && offersIn(asked.options).length > 0) return true;
  return mapActionsIn(runView.actions.map(({ action }) => action)).some(({ type }) => PUTS.includes(type));
}
