/** Carries out what a run orders the page to do. What is ordered on the map, the map takes itself: see `map/where.ts`. */
import { isMapType } from '../map/actions';
import { mapPanel } from '../map/panel.svelte';
import { openPreview } from '../preview/open';
import type { Order } from '../run/reduce';
import { page } from '../state/route.svelte';
import { openingIn } from './attach/opening';

/** Only for those who look at the conversation; what this page does not understand is left to newer ones. */
export function obey({ type, payload }: Order['action'], conversation: string): void {
  const { route } = page;
  if (route.page !== 'workspace' || route.conversation !== conversation) return;
  if (isMapType(type)) mapPanel.wake(conversation);
  const opening = type === 'openFile' ? openingIn(payload ?? {}) : undefined;
  if (opening) openPreview(opening);
}
