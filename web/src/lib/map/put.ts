/** Whether a run has put something on the map, or asks about what lies on it. Pure. */
import { openPause, type Picture } from '../run/reduce';
import { mapActionsIn, type MapAction } from './actions';
import { offersIn } from './offers.svelte';

const PUTS: readonly MapAction['type'][] = ['setView', 'addMarker', 'addLayer', 'showOerebExtract'];

export function putsOnMap(picture: Picture): boolean {
  const asked = openPause(picture)?.pause;
  if (asked?.kind === 'choice' && offersIn(asked.options).length > 0) return true;
  return mapActionsIn(picture.orders.map(({ action }) => action)).some(({ type }) => PUTS.includes(type));
}
