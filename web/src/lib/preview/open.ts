/** Opens a file where the user is: beside the conversation they are in, else as a page. */
import { current } from '../panels/current.svelte';
import { page } from '../state/route.svelte';
import { panel } from './panel.svelte';
import { filePath, type Place, type Target } from './place';

export function openPreview({ fileId, inside, version, ...target }: Place & Target): void {
  const place: Place = { fileId, inside, version };
  const { route } = page;
  if (route.page === 'workspace' && route.conversation) panel.open(place, target);
  else if (current.workspace) page.go(filePath(current.workspace.slug, place, target));
}
