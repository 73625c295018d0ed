/** Why a message is not sent, for the button that would send it. */
import { t } from '../../i18n/index.svelte';
import type { Attached } from './attached.svelte';

export function whyNot(status: Attached['status'], waits: boolean): string {
  return status === 'failed' ? t('attach.failed') : waits ? t('attach.sendsThen') : '';
}
