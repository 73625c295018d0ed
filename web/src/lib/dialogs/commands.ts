/** Everything the palette can do, for this user, in this language. */
import { teamOf } from '../agents/teams';
import { switcher } from '../chat/agents/switcher.svelte';
import { modelChoiceAt, newIn } from '../chat/modelChoice.svelte';
import { loadFiles } from '../files/load';
import { i18n, LANGUAGES, t, type Key } from '../i18n/index.svelte';
import type { Language } from '../api/types';
import { open as openMemory } from '../memory/panel';
import { addressIfShared } from '../panels/addressIfShared';
import { THEMES, themeIcon } from '../panels/choices';
import { current } from '../panels/current.svelte';
import { settingsEntries } from '../panels/settingsEntries';
import { agentsPath, companiesPath, filesPath, knowledgePath, skillsPath, studioPath, workspacePath, type SettingsPage } from '../router';
import { dialogs } from '../state/dialogs.svelte';
import { models } from '../state/models.svelte';
import { panes } from '../state/panes.svelte';
import { chooseLanguage, chooseTheme } from '../state/preferences';
import type { SearchHit } from '../search/server';
import { page } from '../state/route.svelte';
import { sayProblem } from '../state/say';
import { session } from '../state/session.svelte';
import type { IconName } from '../ui/icons';

export interface Command {
  group: string;
  label: string;
  /** What tells it from another of the same name. */
  detail?: string | undefined;
  /** Other words it is found by. */
  also?: readonly string[];
  icon: IconName;
  /** The sign of an agent, in place of the icon, and what it is for. */
  agent?: { name: string; glyph: string; description: string };
  /** Something the server found, drawn with the line that has the words. */
  hit?: SearchHit;
  run: () => void;
}

// What can be done on a settings page, in words that are translated already.
const DONE_THERE: Partial<Record<SettingsPage, readonly Key[]>> = {
  profile: ['auth.password', 'password.change', 'user.name', 'language.label', 'theme.label'],
  users: ['user.edit', 'user.suspend', 'user.reactivate', 'user.delete', 'link.create', 'workspace.members'],
  roles: ['roles.rules', 'roles.edit', 'roles.copy'],
  instances: ['workspace.settings', 'workspace.rename', 'workspace.archive', 'workspace.restore', 'workspace.delete', 'workspace.members'],
  tokens: ['token.revoke'],
  sessions: ['sessions.device', 'auth.signOut'],
  audit: ['activity.title'],
  about: ['about.mandate', 'about.version'],
};

export function commands(): Command[] {
  return [...goTo(), ...workspaces(), ...actions(), ...agents(), ...answeredBy(), ...appearance()];
}

function goTo(): Command[] {
  const group = t('palette.goTo');
  const { workspace } = current;
  const found: Command[] =
    workspace && session.may('seeFiles')
      ? [
          { group, label: t('files.title'), icon: 'folder', run: () => page.go(filesPath(workspace.slug)) },
          { group, label: t('knowledge.title'), icon: 'book-open', run: () => page.go(knowledgePath(workspace.slug)) },
        ]
      : [];
  const agents: Command[] = workspace && session.may('useAgents') ? [{ group, label: t('agents.title'), icon: 'bot', run: () => page.go(agentsPath(workspace.slug)) }] : [];
  const skills: Command[] = workspace && session.may('seeSkills') ? [{ group, label: t('skills.title'), icon: 'square-slash', run: () => page.go(skillsPath(workspace.slug)) }] : [];
  const companies: Command[] = workspace && session.may('seeCompanies') ? [{ group, label: t('companies.title'), icon: 'building-2', run: () => page.go(companiesPath(workspace.slug)) }] : [];
  const studio: Command[] = workspace && session.may('seeProjects') ? [{ group, label: t('studio.title'), icon: 'square-pen', run: () => page.go(studioPath(workspace.slug)) }] : [];
  const costs: Command[] = session.may('seeCosts') ? [{ group, label: t('costs.title'), icon: 'chart-column', run: () => page.go('/costs') }] : [];
  const settings = settingsEntries().map(({ section, label, icon, path }) => ({
    group,
    label,
    icon,
    also: (DONE_THERE[section] ?? []).map((key) => t(key)),
    run: () => page.go(path),
  }));
  return [...found, ...agents, ...skills, ...companies, ...studio, ...costs, ...settings];
}

function workspaces(): Command[] {
  const group = t('settings.instances');
  return session.workspaces.map((workspace) => ({
    group,
    label: workspace.name,
    detail: addressIfShared(workspace, session.workspaces),
    icon: 'layers',
    run: () => page.go(workspacePath(workspace.slug)),
  }));
}

function actions(): Command[] {
  const group = t('palette.actions');
  const workspace = current.workspace;
  const found: (Command | false)[] = [
    workspace !== undefined &&
      session.may('useAgents') && { group, label: t('conversation.new'), icon: 'square-pen', run: () => page.go(workspacePath(workspace.slug)) },
    workspace !== undefined && session.may('storeFiles') && { group, label: t('files.upload'), icon: 'arrow-up', also: [t('files.title')], run: () => void loadFiles().then(({ choose }) => choose({ instanceId: workspace.id, folderId: null }), sayProblem) },
    session.may('invitePeople') && { group, label: t('invite.title'), icon: 'user-plus', also: [t('link.create'), t('settings.users')], run: () => dialogs.show({ kind: 'invite' }) },
    session.may('createTokens') && {
      group,
      label: t('token.new'),
      icon: 'key-round',
      run: () => dialogs.show({ kind: 'newToken', ...(workspace ? { instanceId: workspace.id } : {}) }),
    },
    session.may('createWorkspaces') && { group, label: t('workspace.new'), icon: 'plus', run: () => dialogs.show({ kind: 'newWorkspace' }) },
    workspace !== undefined &&
      session.may('changeWorkspaces') && {
        group,
        label: t('workspace.settings'),
        icon: 'sliders-horizontal',
        run: () => dialogs.show({ kind: 'workspaceSettings', instance: workspace }),
      },
    page.route.page === 'workspace' && page.route.conversation !== undefined && { group, label: t('memory.title'), icon: 'brain', run: openMemory },
    session.may('createRoles') && { group, label: t('roles.new'), icon: 'shield', run: () => dialogs.show({ kind: 'role', role: null }) },
    session.may('changeMandate') && { group, label: t('mandate.rename'), icon: 'pencil', run: () => dialogs.show({ kind: 'renameMandate' }) },
    { group, label: t('shell.toggleLeft'), icon: 'panel-left', run: () => panes.toggle('left') },
    panes.hasRight && { group, label: t('shell.toggleRight'), icon: 'panel-right', run: () => panes.toggle('right') },
    { group, label: t('shortcuts.title'), icon: 'keyboard', run: () => dialogs.show({ kind: 'shortcuts' }) },
    { group, label: t('auth.signOut'), icon: 'log-out', run: () => void session.signOut().catch(sayProblem) },
  ];
  return found.filter((command) => command !== false);
}

/** The others one can ask instead, where one can choose. */
function agents(): Command[] {
  const { offer } = switcher;
  return (offer?.here.all ?? [])
    .filter(({ id }) => id !== offer?.active)
    .map((agent) => ({ agent, team: teamOf(agent) }))
    .map(({ agent, team }) => ({
      group: team ? t(`team.${team}`) : t('agents.title'),
      label: t('agent.switchTo', { name: agent.name }),
      also: [agent.name, t('agent.choose')],
      icon: 'bot',
      agent,
      run: () => offer?.choose(agent.id),
    }));
}

/** With which model, where one writes. */
function answeredBy(): Command[] {
  const { route } = page;
  if (route.page !== 'workspace' || !current.workspace || !session.may('useAgents')) return [];
  const choice = modelChoiceAt(route.conversation ?? newIn(current.workspace.id));
  return models.usable.map((model) => ({
    group: t('settings.models'),
    label: t('compose.pair', { label: t('model.label'), text: model.label }),
    detail: model.providerLabel,
    also: [model.model, t('model.choose'), t('agent.switchTo', { name: model.label })],
    icon: 'cpu',
    run: () => choice.choose(model === models.answering ? undefined : model.model),
  }));
}

function appearance(): Command[] {
  const group = t('palette.appearance');
  return [
    ...THEMES.map((choice) => ({
      group,
      label: t('compose.pair', { label: t('theme.label'), text: t(`theme.${choice}`) }),
      icon: themeIcon(choice),
      run: () => void chooseTheme(choice),
    })),
    ...(Object.entries(LANGUAGES) as [Language, string][]).map(([language, name]) => ({
      group,
      label: t('compose.pair', { label: t('language.label'), text: name }),
      icon: 'languages' as const,
      also: namesOf(language),
      run: () => void chooseLanguage(language),
    })),
  ];
}

/** What the language is called in English and in the language of the page: who ended up in a foreign one finds back. */
function namesOf(language: Language): string[] {
  return ['en', i18n.locale].map((locale) => new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? language);
}
