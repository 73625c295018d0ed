/** What a run is doing, in words: before another try of a model also why it is needed, where that is known; `seconds` until then,
 * or since the model reads the question. */
import { formatWait, t } from '../i18n/index.svelte';
import { providerLabel } from '../models/providerLabel';
import type { Doing } from '../run/reduce';

const REASONS: Record<string, 'retryBusy' | 'retryUnreachable'> = { modelBusy: 'retryBusy', modelUnreachable: 'retryUnreachable' };

export function doingWords({ activity, details }: Doing, seconds: number): string {
  const what = activity === 'retry' ? (REASONS[details['code'] ?? ''] ?? activity) : activity;
  return t(`doing.${what}`, { ...details, provider: providerLabel(details['provider']), wait: formatWait(seconds) });
}
