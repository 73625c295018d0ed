/** Who wrote a version: a person, or an agent for them. */
import { t } from '../i18n/index.svelte';

export function authorOf({ agentName, writtenByName }: { agentName: string; writtenByName: string | null }): string {
  if (!agentName) return writtenByName ?? t('companies.somebody');
  return writtenByName ? t('companies.agentFor', { agent: agentName, name: writtenByName }) : agentName;
}
