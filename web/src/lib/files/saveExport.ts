/** Saves what the server makes as a file: says meanwhile that it is being made, and what went wrong. */
import { t } from '../i18n/index.svelte';
import { sayProblem } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import { saveFile } from './saveFile';

export async function saveExport(name: string, make: () => Promise<Blob>): Promise<void> {
  const making = toasts.show(t('conversation.exporting'));
  try {
    saveFile(await make(), name);
  } catch (cause) {
    sayProblem(cause);
  } finally {
    toasts.dismiss(making);
  }
}
