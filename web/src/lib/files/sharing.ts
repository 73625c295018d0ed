/** Who sees files: with everybody only after it was asked, and always with a way back. Problems are said, not thrown. */
import { api, take } from '../api/client';
import type { StoredFile, Visibility } from '../api/types';
import { t, tn } from '../i18n/index.svelte';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { sayProblem } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import { maySharing } from './may';

const MOST_AT_ONCE = 500;
const ALL_WAYS: readonly Visibility[] = ['MY', 'GROUP', 'ALL'];

/** With whom somebody may share all of these. */
export function sharable(files: readonly StoredFile[]): Visibility[] {
  return ALL_WAYS.filter((whom) => files.every((file) => maySharing(file).includes(whom)));
}

/** Asks first where it goes further than one may think. */
export function share(files: readonly StoredFile[], whom: Visibility): void {
  const changed = files.filter(({ visibility }) => visibility !== whom);
  if (changed.length === 0) return;
  if (whom !== 'ALL') {
    void shareNow(changed, whom).catch(sayProblem);
    return;
  }
  dialogs.confirm({
    title: changed.length === 1 ? t('sharing.allOne', { name: changed[0]!.name }) : tn('sharing.allMany', changed.length),
    text: t('sharing.allText'),
    action: t('sharing.all'),
    calm: true,
    run: () => shareNow(changed, whom),
  });
}

async function shareNow(files: readonly StoredFile[], whom: Visibility): Promise<void> {
  await tell(files, whom);
  const text = tn('files.sharedToast', files.length, { whom: t(`visibility.${whom}`) });
  toasts.show(text, { action: { label: t('action.undo'), run: () => void undo(files).catch(sayProblem) } });
}

/** Each to those who saw it before. */
async function undo(files: readonly StoredFile[]): Promise<void> {
  for (const before of ALL_WAYS) {
    const those = files.filter(({ visibility }) => visibility === before);
    if (those.length > 0) await tell(those, before);
  }
}

async function tell(files: readonly StoredFile[], visibility: Visibility): Promise<void> {
  try {
    for (let at = 0; at < files.length; at += MOST_AT_ONCE) {
      const fileIds = files.slice(at, at + MOST_AT_ONCE).map(({ id }) => id);
      await take(api.POST('/api/files/share', { body: { fileIds, visibility } }));
    }
  } finally {
    live.changed('file');
  }
}
