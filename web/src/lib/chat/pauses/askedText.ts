/** What a run asks, in the reader's language where the tool has a text for it; else in the words it was asked in. */
import { fill } from '../../i18n/format';
import { t } from '../../i18n/index.svelte';
import type { Pause } from '../../run/events';
import { toolTexts } from '../../tools/texts.svelte';

export function askedText(tool: string, pause: Pause): string {
  const name = 'name' in pause ? pause.name : '';
  const texts = toolTexts.of(tool);
  const variant = 'variant' in pause ? pause.variant : '';
  const confirmation = (variant && texts?.confirmations?.[variant]) || texts?.confirmation;
  if (name && confirmation) return fill(confirmation, { name });
  return pause.text || t('pause.mayUse', { tool: toolTexts.nameOf(tool) });
}
