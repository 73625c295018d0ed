import { t } from '../i18n/index.svelte';
import { toasts } from './toasts.svelte';

/** Says what was done, with a button that takes it back. */
export function withUndo(text: string, undo: () => Promise<unknown>): void {
  toasts.show(text, { action: { label: t('action.undo'), run: () => void undo() } });
}
