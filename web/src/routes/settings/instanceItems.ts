/** What can be done with a workspace, as far as the user may do it. */
import { api, take } from '../../lib/api/client';
import type { Instance } from '../../lib/api/types';
import { t } from '../../lib/i18n/index.svelte';
import { workspacePath } from '../../lib/router';
import { dialogs } from '../../lib/state/dialogs.svelte';
import { live } from '../../lib/state/live.svelte';
import { page } from '../../lib/state/route.svelte';
import { sayProblem } from '../../lib/state/say';
import { session } from '../../lib/state/session.svelte';
import { toasts } from '../../lib/state/toasts.svelte';
import type { MenuGroups, MenuItem } from '../../lib/ui/Menu.svelte';

export function instanceItems(instance: Instance): MenuGroups {
  const active = instance.status === 'active';
  const archive: MenuItem = { label: t('workspace.archive'), icon: 'archive', run: () => void setStatus(instance, 'archived') };
  const restore: MenuItem = { label: t('workspace.restore'), icon: 'archive-restore', run: () => void setStatus(instance, 'active') };
  const change = session.may('changeWorkspaces');
  return [
    [
      ...(active ? [{ label: t('workspace.open'), icon: 'arrow-right' as const, run: () => page.go(workspacePath(instance.slug)) }] : []),
      ...(session.may('seeMembers') ? [{ label: t('workspace.members'), icon: 'users' as const, run: () => dialogs.show({ kind: 'members', instance }) }] : []),
      ...(change ? [{ label: t('workspace.settings'), icon: 'sliders-horizontal' as const, run: () => dialogs.show({ kind: 'workspaceSettings', instance }) }] : []),
      ...(change ? [{ label: t('workspace.rename'), icon: 'pencil' as const, run: () => dialogs.show({ kind: 'renameWorkspace', instance }) }] : []),
    ],
    change ? [active ? archive : restore] : [],
    !active && session.may('removeWorkspaces')
      ? [{ label: t('workspace.delete'), icon: 'trash-2', danger: true, run: () => askToDelete(instance) }]
      : [],
  ];
}

export async function setStatus(instance: Pick<Instance, 'id' | 'name'>, status: Instance['status']): Promise<void> {
  try {
    await take(api.PATCH('/api/instances/{instanceId}', { params: { path: { instanceId: instance.id } }, body: { status } }));
  } catch (cause) {
    return sayProblem(cause);
  }
  live.changed('instance');
  const archived = status === 'archived';
  toasts.show(t(archived ? 'workspace.archivedToast' : 'workspace.restoredToast', { name: instance.name }), {
    action: { label: t('action.undo'), run: () => void setStatus(instance, archived ? 'active' : 'archived') },
  });
}

function askToDelete(instance: Instance): void {
  dialogs.confirm({
    title: t('workspace.deleteTitle', { name: instance.name }),
    text: t('workspace.deleteText'),
    action: t('workspace.delete'),
    typed: instance.name,
    run: async () => {
      await take(api.DELETE('/api/instances/{instanceId}', { params: { path: { instanceId: instance.id } } }));
      live.changed('instance');
      toasts.show(t('workspace.deletedToast', { name: instance.name }));
    },
  });
}
