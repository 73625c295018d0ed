/** The agent conversations of a workspace begin with, unless another is chosen: set by users who may change the workspace. */
import { api, take } from '../api/client';
import { live } from '../state/live.svelte';

/** Null: the shipped assistant. Everything else the workspace says of its agents stays as it is. */
export async function beginWith(instanceId: string, agentId: string | null): Promise<void> {
  const params = { path: { instanceId } };
  const config = await take(api.GET('/api/workspace/{instanceId}/agentConfig', { params }));
  await take(api.PUT('/api/workspace/{instanceId}/agentConfig', { params, body: { ...config, defaultAgentId: agentId } }));
  live.changed('instance');
}
