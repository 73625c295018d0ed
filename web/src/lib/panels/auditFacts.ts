/** The details of an entry of the audit log as lines; what we have no words for is shown by its name. */
import type { AuditEntry } from '../api/types';
import { tMaybe } from '../i18n/index.svelte';
import { roles } from '../state/roles.svelte';
import { roleName } from './roleName';

export function auditFacts({ details }: Pick<AuditEntry, 'details'>): { name: string; value: string }[] {
  return Object.entries((details ?? {}) as Record<string, unknown>).map(([key, value]) => {
    const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return { name: tMaybe(`fact.${name}`) ?? key, value: valueOf(name, value) };
  });
}

function valueOf(name: string, value: unknown): string {
  const role = name === 'roleId' && typeof value === 'string' ? roles.byId(value) : undefined;
  if (role) return roleName(role);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
