/** A conversation that is known only by what it cost: the ledger has its title, and the workspace it belongs to. */
import { api, take } from '../api/client';
import { conversationPath } from '../router';
import { session } from '../state/session.svelte';
import { summed } from './sums.svelte';

export interface Found {
  /** Empty for those who may not read it. */
  name: string;
  /** Its address, for those who can open it. */
  href?: string | undefined;
}

export async function conversationOf(workflowId: string): Promise<Found> {
  const query = { workflowId, limit: 1 };
  const [sums, { items }] = await Promise.all([summed('workflow', { workflowId }), take(api.GET('/api/costs', { params: { query } }))]);
  const [line] = items;
  const mayRead = line !== undefined && line.userId === session.data?.user.id;
  const workspace = session.workspaces.find(({ id }) => id === line?.instanceId);
  return { name: sums[0]?.label ?? '', href: mayRead && workspace ? conversationPath(workspace.slug, workflowId) : undefined };
}
