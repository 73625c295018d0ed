/** The settings pages this user may open, in their order. */
import type { Ability } from '../access';
import { t } from '../i18n/index.svelte';
import { SETTINGS, settingsPath, type SettingsPage } from '../router';
import { session } from '../state/session.svelte';
import type { IconName } from '../ui/icons';

const FACTS: Record<SettingsPage, { icon: IconName; needs?: Ability }> = {
  profile: { icon: 'user' },
  privacy: { icon: 'eye-off' },
  users: { icon: 'users', needs: 'seePeople' },
  roles: { icon: 'shield', needs: 'seeRoles' },
  instances: { icon: 'layers', needs: 'seeWorkspaces' },
  models: { icon: 'cpu', needs: 'seeModels' },
  webSearch: { icon: 'globe', needs: 'seeModels' },
  switching: { icon: 'repeat', needs: 'seeModels' },
  instructions: { icon: 'pencil' },
  budgets: { icon: 'wallet' },
  tokens: { icon: 'key-round', needs: 'seeTokens' },
  sessions: { icon: 'monitor-smartphone', needs: 'seeSessions' },
  audit: { icon: 'scroll-text', needs: 'seeAudit' },
  about: { icon: 'info' },
};

export function mayOpen(section: SettingsPage): boolean {
  const { needs } = FACTS[section];
  return needs === undefined || session.may(needs);
}

export function settingsEntries(): { section: SettingsPage; path: string; label: string; icon: IconName }[] {
  return SETTINGS.filter(mayOpen).map((section) => ({
    section,
    path: settingsPath(section),
    label: t(`settings.${section}`),
    icon: FACTS[section].icon,
  }));
}
