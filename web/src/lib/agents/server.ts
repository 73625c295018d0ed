/** What the pages of agents ask the server, each question in one place. */
import { api, take } from '../api/client';
import type { ListQuery, Page, Visibility } from '../api/types';
import { i18n } from '../i18n/index.svelte';
import type { Content } from './draft';
import type { Agent, AgentFile, AgentVersion, ImportedAgent } from './types';

export interface Place {
  instanceId: string;
  agentId: string;
}

const inWorkspace = (instanceId: string) => ({ path: { instanceId } });

export const listAgents = (instanceId: string, query: ListQuery & { deleted?: boolean }, signal: AbortSignal): Promise<Page<Agent>> =>
  take(api.GET('/api/instances/{instanceId}/agents', { params: { ...inWorkspace(instanceId), query: { ...query, language: i18n.language } }, signal }));

export const askAgent = (path: Place, signal: AbortSignal): Promise<Agent> =>
  take(api.GET('/api/instances/{instanceId}/agents/{agentId}', { params: { path, query: { language: i18n.language } }, signal }));

export const createAgent = (instanceId: string, content: Content): Promise<Agent> =>
  take(api.POST('/api/instances/{instanceId}/agents', { params: inWorkspace(instanceId), body: { ...content, visibility: 'MY' } }));

export const changeAgent = (path: Place, version: number, changes: Partial<Content>): Promise<Agent> =>
  take(api.PATCH('/api/instances/{instanceId}/agents/{agentId}', { params: { path }, body: { version, ...changes } }));

export const copyAgent = (path: Place, name: string): Promise<Agent> =>
  take(api.POST('/api/instances/{instanceId}/agents/{agentId}/duplicate', { params: { path }, body: { name, language: i18n.language } }));

export const deleteAgent = (path: Place) => take(api.DELETE('/api/instances/{instanceId}/agents/{agentId}', { params: { path } }));

export const restoreAgent = (path: Place): Promise<Agent> => take(api.POST('/api/instances/{instanceId}/agents/{agentId}/restore', { params: { path } }));

export const shareAgent = (path: Place, visibility: Visibility): Promise<Agent> =>
  take(api.PUT('/api/instances/{instanceId}/agents/{agentId}/visibility', { params: { path }, body: { visibility } }));

export const exportAgent = (path: Place): Promise<AgentFile> => take(api.GET('/api/instances/{instanceId}/agents/{agentId}/export', { params: { path } }));

/** The server says what is wrong with a file that is none. */
export const importAgent = (instanceId: string, file: AgentFile, onConflict: 'fail' | 'replace' | 'keepBoth' = 'fail'): Promise<ImportedAgent> =>
  take(api.POST('/api/instances/{instanceId}/agents/import', { params: { ...inWorkspace(instanceId), query: { onConflict } }, body: file }));

export const listVersions = (path: Place, query: ListQuery, signal: AbortSignal): Promise<Page<AgentVersion>> =>
  take(api.GET('/api/instances/{instanceId}/agents/{agentId}/versions', { params: { path, query }, signal }));

export const restoreVersion = ({ instanceId, agentId }: Place, version: number): Promise<Agent> =>
  take(api.POST('/api/instances/{instanceId}/agents/{agentId}/versions/{version}/restore', { params: { path: { instanceId, agentId, version } } }));
