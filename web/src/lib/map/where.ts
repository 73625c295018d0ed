/** Which map a conversation has: what was ordered on the branch that is on the screen, oldest first. */
import type { Chat } from '../chat/chat.svelte';
import { openPause } from '../run/reduce';
import { isMapType, mapActionsIn } from './actions';
import type { Said } from './edits';
import { offersIn } from './offers.svelte';

export function saidIn(chat: Pick<Chat, 'orderings'>): Said[] {
  return chat.orderings.map(({ messageId, actions }) => ({ messageId, orders: mapActionsIn(actions) }));
}

/** Something was ordered on it, or is offered on it. One that was there stays while a run is at work: between the answer to a
 * question about places and what comes of it, there is nothing on it. */
export function hasMap(chat: Pick<Chat, 'orders' | 'current'>, had = false): boolean {
  const asked = chat.current && openPause(chat.current)?.pause;
  const isOffered = asked?.kind === 'choice' && offersIn(asked.options).length > 0;
  return isOffered || (had && chat.current !== undefined) || chat.orders.some(({ type }) => isMapType(type));
}
