/** What can be done with a conversation, for its menu. */
import { api, take } from '../api/client';
import type { ConversationRef, InstanceRef } from '../api/types';
import { isMine } from '../chat/sharing';
import { t } from '../i18n/index.svelte';
import { conversationPath, workspacePath } from '../router';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { page } from '../state/route.svelte';
import { session } from '../state/session.svelte';
import { toasts } from '../state/toasts.svelte';
import type { MenuGroups, MenuItem } from '../ui/Menu.svelte';

export function conversationItems(workspace: InstanceRef, conversation: ConversationRef): MenuGroups {
  const rename: MenuItem = {
    label: t('conversation.rename'),
    icon: 'pencil',
    run: () => dialogs.show({ kind: 'renameConversation', instanceId: workspace.id, conversation }),
  };
  const mine = isMine(conversation, session.data?.user.id);
  const share: MenuItem = {
    label: mine && conversation.mayWrite ? t('conversation.share') : t('conversation.readers'),
    icon: 'users',
    run: () => dialogs.show({ kind: 'shareConversation', instanceId: workspace.id, conversation }),
  };
  const remove: MenuItem = { label: t('conversation.delete'), icon: 'trash-2', danger: true, run: () => askToDelete(workspace, conversation) };
  return [conversation.mayWrite ? [rename, share] : [share], mine && session.may('removeConversations') ? [remove] : []];
}

function askToDelete(workspace: InstanceRef, { id, title }: ConversationRef): void {
  dialogs.confirm({
    title: t('conversation.deleteTitle', { name: title }),
    text: t('conversation.deleteText'),
    action: t('conversation.delete'),
    run: async () => {
      await take(api.DELETE('/api/workspace/{instanceId}/conversations/{workflowId}', { params: { path: { instanceId: workspace.id, workflowId: id } } }));
      // Away from it, or its page would say that it does not exist; after the dialog, which closes with its page.
      if (page.path === conversationPath(workspace.slug, id)) setTimeout(() => page.go(workspacePath(workspace.slug), { replace: true }));
      toasts.show(t('conversation.deletedToast', { name: title }));
      live.changed('conversation');
    },
  });
}
