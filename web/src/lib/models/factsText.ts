/** What a server says of one of its models, in words: what it can do, and what it cannot; empty when it says nothing. */
import type { OwnModel } from '../api/types';
import { formatNumber, t } from '../i18n/index.svelte';

export function factsText({ facts }: Pick<OwnModel, 'facts'>): string {
  if (!facts) return '';
  const { contextTokens, tools, images, structured } = facts;
  return [
    contextTokens === null ? '' : t('facts.reads', { count: formatNumber(contextTokens) }),
    tools === null ? '' : t(tools ? 'facts.tools' : 'facts.text'),
    images === null ? '' : t(images ? 'facts.images' : 'facts.noImages'),
    structured ? t('facts.structured') : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
