/** What is pasted into a message gets the names that everything pasted gets: browsers call every picture `image.png`. */
import type { Item } from '../../files/dropEvents';
import { handleDropEvent } from '../../files/dropHandler.svelte';
import { current } from '../../panels/current.svelte';
import { receive } from '../receivers';

export async function paste(items: readonly Item[], take: (files: File[]) => void): Promise<void> {
  if (!current.workspace) return;
  const leave = receive({ label: () => '', take });
  await handleDropEvent('paste', null, items, current.workspace).finally(leave);
}
