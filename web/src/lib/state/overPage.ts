/** On a phone, where what is opened takes the page's place, Back closes it and stays on the page. Elsewhere Back leaves the page.
 * For an effect: returns what to call when it was closed otherwise. */
import { untrack } from 'svelte';
import { panes } from './panes.svelte';
import { page } from './route.svelte';

export function overPage(close: () => void): (() => void) | undefined {
  return untrack(() => (panes.fits('left') ? undefined : page.layer(close)));
}
