/** Asks before an earlier version becomes the newest again. */
import { t } from '../i18n/index.svelte';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { toasts } from '../state/toasts.svelte';
import type { DraftEditing, Versioned } from './draftEditing.svelte';

export function restoreVersion<Stored extends Versioned, Draft extends object, Content extends object>(
  editing: DraftEditing<Stored, Draft, Content>,
  number: number,
  send: (version: number) => Promise<Stored>,
): void {
  const run = async () => {
    editing.adopt(await send(number));
    live.changed(editing.source.kind);
    toasts.show(t('versions.restored', { number }));
  };
  const text = t(editing.isChanged ? 'agents.restoreLoses' : 'agents.restoreText');
  dialogs.confirm({ title: t('agents.restoreTitle', { number }), text, action: t('versions.restore'), calm: !editing.isChanged, run });
}
