/** What the user may do with an agent. The server decides; this only hides what it would refuse. */
import type { Visibility } from '../api/types';
import { session } from '../state/session.svelte';
import type { Agent } from './types';

export function mayMake(): boolean {
  return levelOf('create') !== 'NONE';
}

export function mayAgent(act: 'update' | 'delete', agent: Agent): boolean {
  if (agent.builtin) return false;
  const level = levelOf(act);
  if (level === 'ALL' || agent.visibility === 'ALL') return level === 'ALL';
  return isMine(agent) ? level !== 'NONE' : level === 'GROUP' && agent.visibility === 'GROUP';
}

/** With whom the user may share it; empty when it is not theirs to share. */
export function maySharing(agent: Agent): Visibility[] {
  if (agent.builtin) return [];
  if (levelOf('update') === 'ALL') return ['MY', 'GROUP', 'ALL'];
  return isMine(agent) && agent.visibility !== 'ALL' && mayAgent('update', agent) ? ['MY', 'GROUP'] : [];
}

function levelOf(act: 'create' | 'update' | 'delete'): string {
  return session.data?.permissions['data.agent']?.[act] ?? 'NONE';
}

function isMine({ ownerId }: Agent): boolean {
  return ownerId !== null && ownerId === session.data?.user.id;
}
