/** What can be done with a person, as far as the user may do it. */
import { api, take } from '../../lib/api/client';
import type { User } from '../../lib/api/types';
import { t } from '../../lib/i18n/index.svelte';
import { dialogs } from '../../lib/state/dialogs.svelte';
import { live } from '../../lib/state/live.svelte';
import { sayProblem } from '../../lib/state/say';
import { session } from '../../lib/state/session.svelte';
import { toasts } from '../../lib/state/toasts.svelte';
import type { MenuGroups } from '../../lib/ui/Menu.svelte';

export function userItems(user: User): MenuGroups {
  const me = user.id === session.data?.user.id;
  const suspended = user.status === 'suspended';
  return [
    session.may('changePeople')
      ? [
          { label: t('user.edit'), icon: 'pencil', run: () => dialogs.show({ kind: 'editUser', user }) },
          ...(suspended ? [] : [{ label: t('link.create'), icon: 'link' as const, run: () => dialogs.show({ kind: 'link', user }) }]),
        ]
      : [],
    session.may('inspectPeople') && !me ? [{ label: t('inspection.begin'), icon: 'eye', run: () => dialogs.show({ kind: 'inspect', user }) }] : [],
    session.may('changePeople') && !me
      ? suspended
        ? [{ label: t('user.reactivate'), icon: 'rotate-ccw', run: () => void setStatus(user, 'active') }]
        : [{ label: t('user.suspend'), icon: 'ban', run: () => void setStatus(user, 'suspended') }]
      : [],
    session.may('removePeople') && !me ? [{ label: t('user.delete'), icon: 'trash-2', danger: true, run: () => askToDelete(user) }] : [],
  ];
}

async function setStatus(user: User, status: User['status']): Promise<void> {
  try {
    await take(api.PATCH('/api/users/{userId}', { params: { path: { userId: user.id } }, body: { status } }));
  } catch (cause) {
    return sayProblem(cause);
  }
  live.changed('user');
  const back = status === 'suspended' ? 'active' : 'suspended';
  toasts.show(t(status === 'suspended' ? 'user.suspendedToast' : 'user.reactivatedToast', { name: user.displayName }), {
    action: { label: t('action.undo'), run: () => void setStatus(user, back) },
  });
}

function askToDelete(user: User): void {
  dialogs.confirm({
    title: t('user.deleteTitle', { name: user.displayName }),
    text: t('user.deleteText'),
    action: t('user.delete'),
    run: async () => {
      await take(api.DELETE('/api/users/{userId}', { params: { path: { userId: user.id } } }));
      live.changed('user', 'member');
      toasts.show(t('user.deletedToast', { name: user.displayName }));
    },
  });
}
