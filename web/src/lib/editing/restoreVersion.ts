/** Asks before an earlier version becomes the newest again. */
import type { ChangeKind } from '../events/protocol';
import { t } from '../i18n/index.svelte';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { toasts } from '../state/toasts.svelte';

/** What is being written, and what becomes of it when something else is stored. */
interface Editing<Stored> {
  isChanged: boolean;
  source: { kind: ChangeKind };
  adopt: (stored: Stored) => void;
}

export function restoreVersion<Stored>(editing: Editing<Stored>, number: number, send: (version: number) => Promise<Stored>): void {
  const run = async () => {
    editing.adopt(await send(number));
    live.changed(editing.source.kind);
    toasts.show(t('versions.restored', { number }));
  };
  const text = t(editing.isChanged ? 'agents.restoreLoses' : 'agents.restoreText');
  dialogs.confirm({ title: t('agents.restoreTitle', { number }), text, action: t('versions.restore'), calm: !editing.isChanged, run });
}
