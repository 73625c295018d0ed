/** Escape closes what is open first; only then does it stop the run. */
import { dialogs } from '../state/dialogs.svelte';

export function isForRun(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return false;
  if (event.target instanceof HTMLInputElement) return false; // a search field empties itself
  return dialogs.open === null && document.querySelector('dialog[open], :popover-open') === null;
}
