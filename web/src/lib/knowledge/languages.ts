/** The language of a file, in the language of the page. The index names languages as PostgreSQL does. Pure. */

const CODES: Record<string, string> = {
  arabic: 'ar', armenian: 'hy', basque: 'eu', catalan: 'ca', danish: 'da', dutch: 'nl', english: 'en', finnish: 'fi', french: 'fr', german: 'de', greek: 'el',
  hindi: 'hi', hungarian: 'hu', indonesian: 'id', irish: 'ga', italian: 'it', lithuanian: 'lt', nepali: 'ne', norwegian: 'no', portuguese: 'pt', romanian: 'ro',
  russian: 'ru', serbian: 'sr', spanish: 'es', swedish: 'sv', tamil: 'ta', turkish: 'tr', yiddish: 'yi',
};

/** Nothing for a language it has no rules for. */
export function languageName(configuration: string, locale: string): string | undefined {
  const code = CODES[configuration];
  return code && new Intl.DisplayNames(locale, { type: 'language' }).of(code);
}
