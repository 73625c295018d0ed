/** Things are moved to the trash with a way back, wherever the user is by then. */
import type { ChangeKind } from '../events/protocol';
import { t } from '../i18n/index.svelte';
import { live } from './live.svelte';
import { page } from './route.svelte';
import { sayProblem } from './say';
import { toasts } from './toasts.svelte';

export interface Deletable {
  kind: ChangeKind;
  name: string;
  /** Its own page, which is left, and the list it was in. */
  path: string;
  listPath: string;
  remove: () => Promise<unknown>;
  restore: () => Promise<unknown>;
}

export async function moveToTrash(thing: Deletable): Promise<void> {
  await thing.remove();
  live.changed(thing.kind);
  if (page.path === thing.path || page.path.startsWith(`${thing.path}/`)) page.go(thing.listPath);
  toasts.show(t('agents.deleted', { name: thing.name }), { action: { label: t('action.undo'), run: () => void bringBack(thing).catch(sayProblem) } });
}

export async function bringBack(thing: Pick<Deletable, 'kind' | 'name' | 'restore'>): Promise<void> {
  await thing.restore();
  live.changed(thing.kind);
  toasts.show(t('agents.restored', { name: thing.name }));
}
