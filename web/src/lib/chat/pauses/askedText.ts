/** What a run asks, in the reader's language where the question is one of ours; else in the words it was asked in. */
import { t, tMaybe } from '../../i18n/index.svelte';
import type { Pause } from '../../run/events';

export function askedText(tool: string, pause: Pause): string {
  const name = 'name' in pause ? pause.name : '';
  const ours = name ? tMaybe(`ask.${tool}`, { name }) : undefined;
  return ours ?? (pause.text || t('pause.mayUse', { tool }));
}
