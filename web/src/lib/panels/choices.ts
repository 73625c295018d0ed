/** Languages and themes as entries of a menu, a radio group or the palette. */
import type { Language, Theme } from '../api/types';
import { i18n, LANGUAGES, t } from '../i18n/index.svelte';
import { chooseLanguage, chooseTheme } from '../state/preferences';
import { theme } from '../state/theme.svelte';
import type { IconName } from '../ui/icons';
import type { MenuItem } from '../ui/Menu.svelte';

export const THEMES: readonly Theme[] = ['light', 'dark', 'system'];

export function themeIcon(choice: Theme): IconName {
  return ({ light: 'sun', dark: 'moon', system: 'monitor' } as const)[choice];
}

export function themeItems(): MenuItem[] {
  return THEMES.map((choice) => ({
    label: t(`theme.${choice}`),
    icon: themeIcon(choice),
    checked: theme.choice === choice,
    run: () => void chooseTheme(choice),
  }));
}

export function languageItems(): MenuItem[] {
  return (Object.entries(LANGUAGES) as [Language, string][]).map(([language, name]) => ({
    label: name,
    lang: language,
    checked: i18n.language === language,
    run: () => void chooseLanguage(language),
  }));
}
