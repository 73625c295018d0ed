/** An entry of the audit log as a sentence; what we have no words for is shown by its name. */
import type { AuditEntry } from '../api/types';
import { t, tMaybe } from '../i18n/index.svelte';

export function auditText({ action, details }: Pick<AuditEntry, 'action' | 'details'>): string {
  const { status, login, name, displayName, workspace, model, operation } = (details ?? {}) as Record<string, unknown>;
  const label = tMaybe(`did.${action}.${String(status)}`) ?? tMaybe(`did.${action}`) ?? action;
  const subject = [login, name, displayName, model, isText(operation) ? tMaybe(`operation.${operation}`) : undefined].find(isText);
  if (!subject) return label;
  return t('compose.pair', { label, text: isText(workspace) ? t('compose.aside', { text: subject, aside: workspace }) : subject });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
