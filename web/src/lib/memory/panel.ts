/** Whether the memory is open beside a conversation: in the address, as `memory`. A reload keeps it, Back closes it.
 * Small, because the frame of every page looks at it. */
import { tick } from 'svelte';
import { panes } from '../state/panes.svelte';
import { page } from '../state/route.svelte';

export function isOpen(query: string): boolean {
  return new URLSearchParams(query).has('memory');
}

/** Also when it is open, and its pane is not. */
export function open(): void {
  page.go(`${page.path}?memory=1`);
  panes.reveal('right');
}

/** Closing it moves the focus back to the button that opened it. */
export function close(): void {
  page.go(page.path);
  void tick().then(() => document.querySelector<HTMLElement>('[data-memory]')?.focus({ preventScroll: true }));
}
