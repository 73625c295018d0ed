/** Which map a conversation has: what was ordered on the branch that is on the screen, oldest first. */
import type { Chat } from '../chat/chat.svelte';
import { openPause } from '../run/reduce';
import { isMapType, mapActionsIn, type MapAction } from './actions';
import { offersIn } from './offers.svelte';

export function ordersIn(chat: Pick<Chat, 'orders'>): MapAction[] {
  return mapActionsIn(chat.orders);
}

/** Something was ordered on it, or is offered on it. */
export function hasMap(chat: Pick<Chat, 'orders' | 'current'>): boolean {
  const asked = chat.current && openPause(chat.current)?.pause;
  return chat.orders.some(({ type }) => isMapType(type)) || (asked?.kind === 'choice' && offersIn(asked.options).length > 0);
}
