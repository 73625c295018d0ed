/** Parts of the settings one would look for by what is in them. Not among the commands of the palette: their texts come later. */
import type { Command } from '../dialogs/commands';
import { t, type Key } from '../i18n/index.svelte';
import { mayOpen } from '../panels/settingsEntries';
import type { SettingsPage } from '../router';
import { page } from '../state/route.svelte';

/** The first text of each is its name, the others are what is done there. */
const PARTS: { section: SettingsPage; query: string; texts: readonly [Key, ...Key[]] }[] = [
  { section: 'models', query: '', texts: ['provider.title', 'provider.add', 'provider.key'] },
  { section: 'models', query: '?show=chains', texts: ['chain.title', 'operation.EMBEDDING', 'operation.RERANK'] },
  { section: 'models', query: '?show=prices', texts: ['price.title', 'price.rate'] },
  { section: 'webSearch', query: '', texts: ['settings.webSearch', 'webSearch.price'] },
  { section: 'models', query: '?show=catalogue', texts: ['catalogue.title', 'catalogue.add'] },
  { section: 'audit', query: '', texts: ['audit.csv'] },
];

export function settingsParts(): Command[] {
  return PARTS.filter(({ section }) => mayOpen(section)).map(({ section, query, texts }) => ({
    group: t('palette.goTo'),
    label: t('compose.pair', { label: t(`settings.${section}`), text: t(texts[0]) }),
    icon: 'settings-2',
    also: texts.map((key) => t(key)),
    run: () => page.go(`/settings/${section}${query}`),
  }));
}
