/** Ctrl+S, and Cmd+S: what is being written is saved, and never the page by the browser. */
import { dialogs } from '../state/dialogs.svelte';

export function onSaveKey(event: KeyboardEvent, save: () => void): void {
  const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
  if (ctrlKey === metaKey || altKey || shiftKey || key.toLowerCase() !== 's') return;
  event.preventDefault();
  if (!event.repeat && dialogs.open === null) save();
}
