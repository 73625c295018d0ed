/** Performs an action that a run requests from the page. Actions on the map are applied by the map itself, see
 * `map/conversationMap.ts`. */
import { showDocument, type DocumentPlace } from '../companies/panel';
import { isMapType } from '../map/actions';
import { mapPanel } from '../map/panel.svelte';
import { openPreview } from '../preview/open';
import type { UiAction } from '../run/events';
import { panes } from '../state/panes.svelte';
import { page } from '../state/route.svelte';
import { openingIn } from './attach/opening';

/** Only for those who look at the conversation; what this page does not understand is left to newer ones. */
export function performAction({ type, payload }: UiAction, conversation: string): void {
  const { route } = page;
  if (route.page !== 'workspace' || route.conversation !== conversation) return;
  if (isMapType(type)) mapPanel.wake(conversation);
  if (type === 'companyDocument' && panes.fits('right')) showDocument(payload as unknown as DocumentPlace);
  const opening = type === 'openFile' ? openingIn(payload ?? {}) : undefined;
  if (opening) openPreview(opening);
}
