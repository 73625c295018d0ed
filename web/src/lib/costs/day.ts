/** A day ("15 Nov 2026") or a month ("November 2026") as the server names them, in the words of the language. */
import { i18n } from '../i18n/index.svelte';

export function formatDay(key: string): string {
  const isMonth = key.length === 'YYYY-MM'.length;
  const style: Intl.DateTimeFormatOptions = isMonth ? { month: 'long', year: 'numeric' } : { dateStyle: 'medium' };
  return key === '' ? '' : new Intl.DateTimeFormat(i18n.locale, { ...style, timeZone: 'UTC' }).format(new Date(key));
}
