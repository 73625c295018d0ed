/** The conversations of this page visit: going back to one shows it at once, and a new one moves to its page as it is. */
import { api, take } from '../api/client';
import { session } from '../state/session.svelte';
import { agentChoiceIn } from './agents/agentChoice.svelte';
import { Chat } from './chat.svelte';
import { inputOf, type NewMessage } from './input';
import { modelChoiceAt, moveModelChoice, newIn } from './modelChoice.svelte';

const KEPT = 12;
const chats = new Map<string, Chat>();

export function chatOf(workspaceId: string, id: string): Chat {
  const chat = chats.get(keyOf(workspaceId, id)) ?? new Chat(workspaceId, id);
  return keep(chat);
}

/** The first message of a conversation that does not exist yet, with this agent, or the one that was chosen for it. */
export async function startChat(workspaceId: string, message: NewMessage, agentId?: string): Promise<Chat> {
  const params = { path: { instanceId: workspaceId } };
  const place = newIn(workspaceId);
  const agentChoice = agentChoiceIn(workspaceId);
  const body = inputOf(message, { model: modelChoiceAt(place).chosen?.model ?? null, agentId: agentId ?? agentChoice.id });
  const accepted = await take(api.POST('/api/workspace/{instanceId}/input', { params, body }));
  moveModelChoice(place, accepted.workflowId);
  if (agentId === undefined) agentChoice.choose(null); // the next one begins without
  const chat = chatOf(workspaceId, accepted.workflowId);
  chat.title ||= message.prompt.replace(/\s+/g, ' ').trim().slice(0, 80);
  chat.accepted(message, accepted);
  return chat;
}

function keep(chat: Chat): Chat {
  const key = keyOf(chat.workspaceId, chat.id);
  chats.delete(key); // to the end: the one used last goes last
  chats.set(key, chat);
  if (chats.size > KEPT) chats.delete(chats.keys().next().value!);
  return chat;
}

// Another user who signs in later sees nothing of this one.
function keyOf(workspaceId: string, id: string): string {
  return `${session.data?.user.id} ${workspaceId} ${id}`;
}
