/** The conversations of this page visit: going back to one shows it at once, and a new one moves to its page as it is. */
import { api, take } from '../api/client';
import { session } from '../state/session.svelte';
import { agentWishIn } from './agents/agentWish.svelte';
import { Chat } from './chat.svelte';
import { inputOf, type Said } from './input';
import { moveWish, newIn, wishAt } from './wish.svelte';

const KEPT = 12;
const chats = new Map<string, Chat>();

export function chatOf(workspaceId: string, id: string): Chat {
  const chat = chats.get(keyOf(workspaceId, id)) ?? new Chat(workspaceId, id);
  return keep(chat);
}

/** The first message of a conversation that does not exist yet, with this agent, or whoever was chosen for it. */
export async function startChat(workspaceId: string, said: Said, agentId?: string): Promise<Chat> {
  const params = { path: { instanceId: workspaceId } };
  const place = newIn(workspaceId);
  const wanted = agentWishIn(workspaceId);
  const body = inputOf(said, { model: wishAt(place).chosen?.model ?? null, agentId: agentId ?? wanted.id });
  const accepted = await take(api.POST('/api/workspace/{instanceId}/input', { params, body }));
  moveWish(place, accepted.workflowId);
  if (agentId === undefined) wanted.choose(null); // the next one begins without
  const chat = chatOf(workspaceId, accepted.workflowId);
  chat.title ||= said.prompt.replace(/\s+/g, ' ').trim().slice(0, 80);
  chat.accepted(said, accepted);
  return chat;
}

function keep(chat: Chat): Chat {
  const key = keyOf(chat.workspaceId, chat.id);
  chats.delete(key); // to the end: the one used last goes last
  chats.set(key, chat);
  if (chats.size > KEPT) chats.delete(chats.keys().next().value!);
  return chat;
}

// Whoever signs in next in this window sees nothing of the one before.
function keyOf(workspaceId: string, id: string): string {
  return `${session.data?.user.id} ${workspaceId} ${id}`;
}
