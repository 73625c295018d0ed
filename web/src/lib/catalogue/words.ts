/** The catalogue in the reader's language. */
import { formatDate, formatNumber, t, tMaybe, tn } from '../i18n/index.svelte';
import { plain } from '../models/amount';
import type { Difference, FieldName, Kind } from './fields';
import type { CatalogueProblem } from './types';

export function labelOf({ name, since, long }: Pick<Difference, 'name' | 'since' | 'long'>): string {
  const parts = [t(`catalogueField.${name}`), long && name !== 'above' ? t('catalogue.longShort') : '', since ? t('catalogue.from', { date: formatDate(since) }) : ''];
  return parts.filter(Boolean).join(' · ');
}

export function valueOf(name: FieldName, value: string | undefined): string {
  if (value === undefined || value === '') return t('catalogue.nothing');
  switch (name) {
    case 'tools':
    case 'images':
      return value === 'true' ? t('catalogue.yes') : t('catalogue.no');
    case 'contextTokens':
    case 'outputTokens':
    case 'above':
      return formatNumber(Number(value));
    case 'input':
    case 'cached':
    case 'written':
    case 'output':
      return t('catalogue.amount', { amount: plain(value) });
    case 'agentSwitchTemplate':
      return tMaybe(`template.${value}`) ?? value;
    case 'assertiveness':
    case 'contextualMemory':
      return tMaybe(`degree.${value}`) ?? value;
    case 'specialHandling':
      return value.split(' ').map((one) => tMaybe(`handling.${one}`) ?? one).join(', ');
    default:
      return value;
  }
}

export function countOf(kind: Kind, count: number): string {
  return kind === 'added' ? tn('catalogue.added', count) : kind === 'changed' ? tn('catalogue.changed', count) : tn('catalogue.removed', count);
}

// The bounds of a number, as a file would write them.
const RANGE = /^"?(\d+)"? … "?(\d+)"?$/;

/** What is wrong, and what belongs there. */
export function faultOf({ code, expected, message }: CatalogueProblem): string {
  const text = tMaybe(`catalogueFault.${code}`) ?? message;
  if (!expected) return text;
  const [, low, high] = RANGE.exec(expected) ?? [];
  const wanted = low && high ? t('catalogue.range', { low: formatNumber(Number(low)), high: formatNumber(Number(high)) }) : expected;
  return t('compose.pair', { label: text, text: wanted });
}
