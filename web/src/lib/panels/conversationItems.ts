/** What can be done with a conversation, for its menu. What does it is fetched when it is first asked for. */
import type { ConversationRef, InstanceRef } from '../api/types';
import { isMine } from '../chat/sharing';
import { later, t } from '../i18n/index.svelte';
import { dialogs } from '../state/dialogs.svelte';
import { session } from '../state/session.svelte';
import type { MenuGroups, MenuItem } from '../ui/Menu.svelte';

const acts = later(() => import('../chat/conversationActs'));

export function conversationItems(workspace: InstanceRef, conversation: ConversationRef): MenuGroups {
  const { pinned, archivedAt, deletedAt, mayWrite } = conversation;
  const mine = isMine(conversation, session.data?.user.id);
  const isOwners = mine && session.may('removeConversations');
  const pin: MenuItem = {
    label: t(pinned ? 'conversation.unpin' : 'conversation.pin'),
    icon: 'pin',
    run: () => void acts().then(({ pin }) => pin(workspace, conversation, !pinned)),
  };
  const rename: MenuItem = {
    label: t('conversation.rename'),
    icon: 'pencil',
    run: () => dialogs.show({ kind: 'renameConversation', instanceId: workspace.id, conversation }),
  };
  const share: MenuItem = {
    label: mine && mayWrite ? t('conversation.share') : t('conversation.readers'),
    icon: 'users',
    run: () => dialogs.show({ kind: 'shareConversation', instanceId: workspace.id, conversation }),
  };
  const saved = (['markdown', 'pdf'] as const).map((format): MenuItem => ({
    label: t(format === 'pdf' ? 'conversation.exportPdf' : 'conversation.exportMarkdown'),
    icon: 'arrow-down',
    run: () => void acts().then(({ exportAs }) => exportAs(workspace, conversation, format)),
  }));
  const archive: MenuItem = {
    label: t(archivedAt ? 'conversation.unarchive' : 'conversation.archive'),
    icon: archivedAt ? 'archive-restore' : 'archive',
    run: () => void acts().then(({ archive }) => archive(workspace, conversation, !archivedAt)),
  };
  const remove: MenuItem = { label: t('conversation.delete'), icon: 'trash-2', danger: true, run: () => void acts().then(({ remove }) => remove(workspace, conversation)) };
  if (deletedAt) {
    const restore: MenuItem = { label: t('conversation.restore'), icon: 'rotate-ccw', run: () => void acts().then(({ restore }) => restore(workspace, conversation)) };
    const purge: MenuItem = { label: t('conversation.purge'), icon: 'trash-2', danger: true, run: () => void acts().then(({ purge }) => purge(workspace, conversation)) };
    return [[restore], [purge]];
  }
  return [[pin, ...(mayWrite ? [rename] : []), share], saved, isOwners ? [archive, remove] : []];
}
