/** What a server says of one of its models, in words; empty when it says nothing. */
import type { OwnModel } from '../api/types';
import { formatNumber, t } from '../i18n/index.svelte';

export function factsText({ facts }: Pick<OwnModel, 'facts'>): string {
  if (!facts) return '';
  const { contextTokens, tools, images } = facts;
  return [
    contextTokens === null ? '' : t('models.tokens', { count: formatNumber(contextTokens) }),
    tools === null ? '' : tools ? t('own.tools') : t('models.noTools'),
    images ? t('models.images') : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
