/** The pages of a workspace beside its files and conversations, as far as the user may see them. */
import { t } from '../i18n/index.svelte';
import { agentsPath, companiesPath, knowledgePath, skillsPath, studioPath } from '../router';
import { session } from '../state/session.svelte';
import type { IconName } from '../ui/icons';

export interface WorkspacePage {
  path: string;
  icon: IconName;
  label: string;
}

export function workspacePages({ slug }: { slug: string }): WorkspacePage[] {
  const pages: [boolean, WorkspacePage][] = [
    [session.may('seeFiles'), { path: knowledgePath(slug), icon: 'book-open', label: t('knowledge.title') }],
    [session.may('useAgents'), { path: agentsPath(slug), icon: 'bot', label: t('agents.title') }],
    [session.may('seeSkills'), { path: skillsPath(slug), icon: 'square-slash', label: t('skills.title') }],
    [session.may('seeCompanies'), { path: companiesPath(slug), icon: 'building-2', label: t('companies.title') }],
    [session.may('seeProjects'), { path: studioPath(slug), icon: 'square-pen', label: t('studio.title') }],
  ];
  return pages.filter(([isSeen]) => isSeen).map(([, page]) => page);
}
