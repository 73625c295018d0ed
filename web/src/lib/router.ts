/** Which page a path means, and back. Pure; `state/route.svelte.ts` holds the present one. */

export const SETTINGS = ['profile', 'privacy', 'users', 'roles', 'instances', 'models', 'webSearch', 'switching', 'instructions', 'budgets', 'tokens', 'sessions', 'audit', 'about'] as const;
export type SettingsPage = (typeof SETTINGS)[number];

export type Route =
  | { page: 'home' }
  | { page: 'enter' }
  | { page: 'login'; next: string }
  | { page: 'workspace'; slug: string; conversation?: string }
  | { page: 'files'; slug: string }
  | { page: 'file'; slug: string; id: string }
  | { page: 'knowledge'; slug: string }
  | { page: 'agents' | 'skills'; slug: string; id?: string }
  | { page: 'companies'; slug: string; id?: string; kind?: string }
  | { page: 'studio'; slug: string; id?: string; part?: string }
  | { page: 'settings'; section: SettingsPage }
  | { page: 'costs' }
  | { page: 'run'; id: string }
  | { page: 'notFound' };

export function match(path: string, query = ''): Route {
  const parts = path.split('/').filter(Boolean);
  const [first, second, third, fourth] = parts;
  if (parts.length === 0) return { page: 'home' };
  if (parts.length === 1 && first === 'enter') return { page: 'enter' };
  if (parts.length === 1 && first === 'login') return { page: 'login', next: safeNext(new URLSearchParams(query).get('next')) };
  if (parts.length === 2 && first === 'i' && second) return { page: 'workspace', slug: decode(second) };
  if (parts.length === 4 && first === 'i' && second && third === 'c' && fourth) {
    return { page: 'workspace', slug: decode(second), conversation: decode(fourth) };
  }
  if (first === 'i' && second && third === 'files') {
    if (parts.length === 3) return { page: 'files', slug: decode(second) };
    if (parts.length === 4 && fourth) return { page: 'file', slug: decode(second), id: decode(fourth) };
  }
  if (parts.length === 3 && first === 'i' && second && third === 'knowledge') return { page: 'knowledge', slug: decode(second) };
  if (first === 'i' && second && (third === 'agents' || third === 'skills') && parts.length <= 4) {
    return { page: third, slug: decode(second), ...(fourth && { id: decode(fourth) }) };
  }
  if (first === 'i' && second && third === 'companies' && parts.length <= 5) {
    const [, , , , kind] = parts;
    return { page: 'companies', slug: decode(second), ...(fourth && { id: decode(fourth) }), ...(kind && { kind: decode(kind) }) };
  }
  if (first === 'i' && second && third === 'studio' && parts.length <= 5) {
    const [, , , , part] = parts;
    return { page: 'studio', slug: decode(second), ...(fourth && { id: decode(fourth) }), ...(part && { part: decode(part) }) };
  }
  if (first === 'settings' && parts.length === 1) return { page: 'settings', section: 'profile' };
  if (first === 'settings' && parts.length === 2 && isSettings(second)) return { page: 'settings', section: second };
  if (first === 'costs' && parts.length === 1) return { page: 'costs' };
  if (first === 'runs' && parts.length === 2 && second) return { page: 'run', id: decode(second) };
  return { page: 'notFound' };
}

export function workspacePath(slug: string): string {
  return `/i/${encodeURIComponent(slug)}`;
}

export function conversationPath(slug: string, workflowId: string): string {
  return `${workspacePath(slug)}/c/${encodeURIComponent(workflowId)}`;
}

export function filesPath(slug: string, folderId?: string | null): string {
  return `${workspacePath(slug)}/files${folderId ? `?folder=${folderId}` : ''}`;
}

export function knowledgePath(slug: string): string {
  return `${workspacePath(slug)}/knowledge`;
}

export function agentsPath(slug: string, agentId?: string): string {
  return `${workspacePath(slug)}/agents${agentId ? `/${encodeURIComponent(agentId)}` : ''}`;
}

export function skillsPath(slug: string, skillId?: string): string {
  return `${workspacePath(slug)}/skills${skillId ? `/${encodeURIComponent(skillId)}` : ''}`;
}

export function companiesPath(slug: string, companyId?: string, kind?: string): string {
  return [`${workspacePath(slug)}/companies`, companyId, kind].filter((part) => part !== undefined).join('/');
}

/** `part` of a project: the id of a block, `personas`, `evaluations` or `trash`; `profiles` instead of a project are its creators'. */
export function studioPath(slug: string, projectId?: string, part?: string): string {
  return [`${workspacePath(slug)}/studio`, projectId, part].filter((each) => each !== undefined).join('/');
}

export function settingsPath(section: SettingsPage): string {
  return `/settings/${section}`;
}

export function runPath(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`;
}

export function loginPath(next: string): string {
  const wanted = safeNext(next);
  return wanted === '/' ? '/login' : `/login?next=${encodeURIComponent(wanted)}`;
}

/** Only pages of this app, never another site (`//host`, `/\host`) and never a page that makes no sense signed in. */
export function safeNext(next: string | null): string {
  if (!next || !/^\/(?![/\\])/.test(next) || /^\/(login|enter)(\W|$)/.test(next)) return '/';
  return next;
}

function isSettings(name: string | undefined): name is SettingsPage {
  return (SETTINGS as readonly (string | undefined)[]).includes(name);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
