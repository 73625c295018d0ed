/** An entry of the audit log as a sentence; an action we have no words for is shown by its name. */
import type { AuditEntry } from '../api/types';
import { tMaybe } from '../i18n/index.svelte';

export function auditText(entry: Pick<AuditEntry, 'action' | 'details'>): string {
  const text = tMaybe(`did.${entry.action}`) ?? entry.action;
  const { name, login, displayName } = (entry.details ?? {}) as Record<string, unknown>;
  const subject = [name, displayName, login].find((value) => typeof value === 'string' && value !== '');
  return subject ? `${text}: ${String(subject)}` : text;
}
