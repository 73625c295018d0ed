/** Everything the palette can do, for this user, in this language. */
import { LANGUAGES, t } from '../i18n/index.svelte';
import type { Language } from '../api/types';
import { THEMES, themeIcon } from '../panels/choices';
import { current } from '../panels/current.svelte';
import { settingsEntries } from '../panels/settingsEntries';
import { workspacePath } from '../router';
import { dialogs } from '../state/dialogs.svelte';
import { panes } from '../state/panes.svelte';
import { chooseLanguage, chooseTheme } from '../state/preferences';
import { page } from '../state/route.svelte';
import { sayProblem } from '../state/say';
import { session } from '../state/session.svelte';
import type { IconName } from '../ui/icons';

export interface Command {
  group: string;
  label: string;
  icon: IconName;
  run: () => void;
}

export function commands(): Command[] {
  return [...goTo(), ...workspaces(), ...actions(), ...appearance()];
}

function goTo(): Command[] {
  const group = t('palette.goTo');
  return settingsEntries().map(({ label, icon, path }) => ({ group, label, icon, run: () => page.go(path) }));
}

function workspaces(): Command[] {
  const group = t('settings.instances');
  return session.workspaces.map(({ name, slug }) => ({ group, label: name, icon: 'layers', run: () => page.go(workspacePath(slug)) }));
}

function actions(): Command[] {
  const group = t('palette.actions');
  const workspace = current.workspace;
  const found: (Command | false)[] = [
    workspace !== undefined &&
      session.may('useAgents') && { group, label: t('conversation.new'), icon: 'square-pen', run: () => page.go(workspacePath(workspace.slug)) },
    session.may('invitePeople') && { group, label: t('invite.title'), icon: 'user-plus', run: () => dialogs.show({ kind: 'invite' }) },
    session.may('createTokens') && {
      group,
      label: t('token.new'),
      icon: 'key-round',
      run: () => dialogs.show({ kind: 'newToken', ...(workspace ? { instanceId: workspace.id } : {}) }),
    },
    session.may('createWorkspaces') && { group, label: t('workspace.new'), icon: 'plus', run: () => dialogs.show({ kind: 'newWorkspace' }) },
    session.may('createRoles') && { group, label: t('roles.new'), icon: 'shield', run: () => dialogs.show({ kind: 'role', role: null }) },
    { group, label: t('shell.toggleLeft'), icon: 'panel-left', run: () => panes.toggle('left') },
    panes.hasRight && { group, label: t('shell.toggleRight'), icon: 'panel-right', run: () => panes.toggle('right') },
    { group, label: t('shortcuts.title'), icon: 'keyboard', run: () => dialogs.show({ kind: 'shortcuts' }) },
    { group, label: t('auth.signOut'), icon: 'log-out', run: () => void session.signOut().catch(sayProblem) },
  ];
  return found.filter((command) => command !== false);
}

function appearance(): Command[] {
  const group = t('palette.appearance');
  return [
    ...THEMES.map((choice) => ({
      group,
      label: `${t('theme.label')}: ${t(`theme.${choice}`)}`,
      icon: themeIcon(choice),
      run: () => void chooseTheme(choice),
    })),
    ...(Object.entries(LANGUAGES) as [Language, string][]).map(([language, name]) => ({
      group,
      label: `${t('language.label')}: ${name}`,
      icon: 'languages' as const,
      run: () => void chooseLanguage(language),
    })),
  ];
}
