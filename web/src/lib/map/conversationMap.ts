/** The map of a conversation: the map actions of the branch that is on the screen, oldest first, and whether there is a map. */
import type { Chat } from '../chat/chat.svelte';
import { openPause } from '../run/reduce';
import { isMapType, mapActionsIn } from './actions';
import type { MessageMapActions } from './edits';
import { offersIn } from './offers.svelte';

export function mapActionsByMessage(chat: Pick<Chat, 'messageActions'>): MessageMapActions[] {
  return chat.messageActions.map(({ messageId, actions }) => ({ messageId, actions: mapActionsIn(actions) }));
}

/** There are actions on it, or a question offers places on it. One that was there stays while a run is at work: between the answer
 * to a question about places and the actions that follow, there is nothing on it. */
export function hasMap(chat: Pick<Chat, 'actions' | 'current'>, had = false): boolean {
  const asked = chat.current && openPause(chat.current)?.pause;
  const isOffered = asked?.kind === 'choice' && offersIn(asked.options).length > 0;
  return isOffered || (had && chat.current !== undefined) || chat.actions.some(({ type }) => isMapType(type));
}
