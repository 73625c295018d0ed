/** An entry of the audit log as a sentence, and its details as lines; what we have no words for is shown by its name. */
import type { AuditEntry } from '../api/types';
import { t, tMaybe } from '../i18n/index.svelte';
import { roles } from '../state/roles.svelte';
import { roleName } from './roleName';

type Details = Record<string, unknown>;

export function auditText({ action, details }: Pick<AuditEntry, 'action' | 'details'>): string {
  const { status, login, name, displayName, workspace } = (details ?? {}) as Details;
  const label = tMaybe(`did.${action}.${String(status)}`) ?? tMaybe(`did.${action}`) ?? action;
  const subject = [login, name, displayName].find(isText);
  if (!subject) return label;
  return t('compose.pair', { label, text: isText(workspace) ? t('compose.aside', { text: subject, aside: workspace }) : subject });
}

export function auditFacts({ details }: Pick<AuditEntry, 'details'>): { name: string; value: string }[] {
  return Object.entries((details ?? {}) as Details).map(([key, value]) => {
    const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return { name: tMaybe(`fact.${name}`) ?? key, value: valueOf(name, value) };
  });
}

function valueOf(name: string, value: unknown): string {
  const role = name === 'roleId' && isText(value) ? roles.byId(value) : undefined;
  if (role) return roleName(role);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
