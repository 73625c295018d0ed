/** A language of conversations by its own name; all of them in the user's words. */
import { LANGUAGES, t } from '../i18n/index.svelte';
import { ALL } from './rates';

export function languageName(language: string): string {
  if (language === ALL) return t('evaluation.allLanguages');
  return Object.entries(LANGUAGES).find(([code]) => code === language)?.[1] ?? language;
}
