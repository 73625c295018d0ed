/** From what is remembered to the line of the tool it comes from. */
import { tick } from 'svelte';
import { panes } from '../state/panes.svelte';
import { page } from '../state/route.svelte';

/** Over the page, the panel makes way for it. */
export async function jumpTo(callId: string): Promise<void> {
  if (panes.sheet !== null) {
    page.go(page.path);
    await tick();
  }
  const line = document.querySelector<HTMLElement>(`[data-call="${CSS.escape(callId)}"]`);
  line?.scrollIntoView({ block: 'center' });
  line?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
}
