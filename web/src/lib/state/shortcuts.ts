/** The keys that work everywhere. Letters and brackets only outside of text fields. */
import { dialogs } from './dialogs.svelte';
import { panes } from './panes.svelte';
import { session } from './session.svelte';

export function shortcut(event: KeyboardEvent): void {
  if (session.status !== 'in' || event.defaultPrevented || event.isComposing) return;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    if (dialogs.open?.kind === 'palette') dialogs.close();
    else if (dialogs.open === null) dialogs.show({ kind: 'palette' });
    return;
  }
  const picker = (event.ctrlKey || event.metaKey) && dialogs.open === null ? PICKERS[event.key] : undefined;
  if (picker) {
    const found = document.querySelector<HTMLElement>(picker);
    if (found) event.preventDefault();
    return found?.click();
  }
  // Brackets need AltGr on many keyboards, which browsers report as Ctrl+Alt.
  const chord = event.metaKey || (event.ctrlKey && !event.getModifierState('AltGraph'));
  if (chord || dialogs.open !== null || isTyping(event.target)) return;
  const run = KEYS[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

// What opens the choice of a model, and of an agent.
const PICKERS: Record<string, string> = { '.': '[data-model]', ',': '[data-agent]' };

const KEYS: Record<string, () => void> = {
  '[': () => panes.toggle('left'),
  ']': () => panes.toggle('right'),
  '?': () => dialogs.show({ kind: 'shortcuts' }),
};

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
