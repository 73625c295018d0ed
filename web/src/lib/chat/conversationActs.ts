/** What is done to whole conversations, with a way back where there is one. Fetched with the first one. Problems are said. */
import { api, take } from '../api/client';
import type { ConversationRef, InstanceRef } from '../api/types';
import { saveExport } from '../files/saveExport';
import { i18n, t } from '../i18n/index.svelte';
import { conversationPath, workspacePath } from '../router';
import { attempt } from '../state/attempt';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { page } from '../state/route.svelte';
import { toasts } from '../state/toasts.svelte';
import { withUndo } from '../state/undo';

type About = Pick<ConversationRef, 'id' | 'title'>;

const ONE = '/api/workspace/{instanceId}/conversations/{workflowId}' as const;
const at = (workspace: InstanceRef, { id }: About) => ({ path: { instanceId: workspace.id, workflowId: id } });

/** Into the trash. Its page is left: it would say that it does not exist. */
export async function remove(workspace: InstanceRef, about: About): Promise<void> {
  if (!(await attempt(() => take(api.DELETE(ONE, { params: at(workspace, about) })), 'conversation'))) return;
  const path = conversationPath(workspace.slug, about.id);
  const wasOpen = page.path === path;
  if (wasOpen) page.go(workspacePath(workspace.slug), { replace: true });
  withUndo(t('conversation.deletedToast', { name: about.title }), async () => {
    if ((await bringBack(workspace, about)) && wasOpen) page.go(path);
  });
}

export async function restore(workspace: InstanceRef, about: About): Promise<void> {
  if (await bringBack(workspace, about)) toasts.show(t('files.restoredOne', { name: about.title }));
}

/** Asks first: what is gone from the trash is gone. */
export function purge(workspace: InstanceRef, about: About): void {
  dialogs.confirm({
    title: t('files.purgeOne', { name: about.title }),
    text: t('conversation.purgeText'),
    action: t('files.purge'),
    run: async () => {
      try {
        await take(api.DELETE(ONE, { params: { ...at(workspace, about), query: { forever: true } } }));
      } finally {
        live.changed('conversation');
      }
      toasts.show(t('files.purgedOne', { name: about.title }));
    },
  });
}

export async function pin(workspace: InstanceRef, about: About, pinned: boolean): Promise<void> {
  await attempt(() => take(api.PUT(`${ONE}/pin`, { params: at(workspace, about), body: { pinned } })), 'conversation');
}

export async function archive(workspace: InstanceRef, about: About, archived: boolean): Promise<void> {
  if (!(await setArchived(workspace, about, archived))) return;
  withUndo(t(archived ? 'files.archivedOne' : 'files.restoredOne', { name: about.title }), () => setArchived(workspace, about, !archived));
}

/** Saves it as a file. The server makes it in the language and the time zone of this page. */
export function exportAs(workspace: InstanceRef, about: About, format: 'markdown' | 'pdf'): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const params = { ...at(workspace, about), query: { format, language: i18n.language, timeZone } };
  const make = async () => (await take<unknown>(api.GET(`${ONE}/export`, { params, parseAs: 'blob' }))) as Blob;
  return saveExport(`${about.title}.${format === 'pdf' ? 'pdf' : 'md'}`, make);
}

function bringBack(workspace: InstanceRef, about: About): Promise<boolean> {
  return attempt(() => take(api.POST(`${ONE}/restore`, { params: at(workspace, about) })), 'conversation');
}

function setArchived(workspace: InstanceRef, about: About, archived: boolean): Promise<boolean> {
  return attempt(() => take(api.PUT(`${ONE}/archive`, { params: at(workspace, about), body: { archived } })), 'conversation');
}
