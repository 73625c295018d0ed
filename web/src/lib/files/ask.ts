/** A conversation about a file: asked by oneself, or begun with the question for a summary. */
import { Problem } from '../api/problem';
import type { InstanceRef, StoredFile } from '../api/types';
import { draftFiles, keepFiles } from '../chat/drafts';
import { newIn } from '../chat/modelChoice.svelte';
import { t } from '../i18n/index.svelte';
import { newId } from '../id';
import { conversationPath, workspacePath } from '../router';
import { live } from '../state/live.svelte';
import { page } from '../state/route.svelte';
import { sayProblem } from '../state/say';
import { session } from '../state/session.svelte';

type About = Pick<StoredFile, 'id' | 'name' | 'instanceId'>;

/** The workspace to talk in: the file's, if one is there. */
function roomOf({ instanceId }: About): InstanceRef | undefined {
  return session.workspaces.find(({ id }) => id === instanceId);
}

export function mayAsk(file: About): boolean {
  return session.may('useAgents') && session.may('startConversations') && roomOf(file) !== undefined;
}

/** To where a conversation begins, with the file attached to what is written there. */
export function ask(file: About): void {
  const room = roomOf(file);
  if (!room) return;
  const place = newIn(room.id);
  keepFiles(place, [...new Set([...(draftFiles(place) ?? []), file.id])]);
  page.go(workspacePath(room.slug));
}

export async function summarise(file: About): Promise<void> {
  const room = roomOf(file);
  if (!room) return;
  try {
    const { startChat } = await import('../chat/chats').catch(() => Promise.reject(Problem.network()));
    const message = { prompt: t('files.summaryPrompt', { name: file.name }), clientId: newId(), files: [{ fileId: file.id, name: file.name }] };
    const chat = await startChat(room.id, message);
    live.changed('conversation');
    page.go(conversationPath(room.slug, chat.id));
  } catch (cause) {
    sayProblem(cause);
  }
}
