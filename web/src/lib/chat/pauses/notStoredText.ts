/** Why what was accepted could not be stored, in a few words. */
import { formatNumber, t } from '../../i18n/index.svelte';
import type { ToolResult } from '../../run/events';

export function notStoredText(result: Pick<ToolResult, 'status' | 'data'> | null): string | undefined {
  if (result?.status !== 'error') return undefined;
  const lines = result.data?.['conflictLines'];
  return Array.isArray(lines) ? t('diff.overtaken', { lines: lines.map((line) => formatNumber(Number(line))).join(', ') }) : t('diff.notStored');
}
