/** What the user may do with things that people share. The server decides; this only hides what it would refuse. */
import type { Visibility } from '../api/types';
import { session } from '../state/session.svelte';

export interface Shareable {
  ownerId?: string | null;
  visibility: Visibility;
}

type Action = 'create' | 'update' | 'delete';

/** `object`: what permissions call things of this kind. */
export function mayCreate(object: string): boolean {
  return levelOf(object, 'create') !== 'NONE';
}

export function mayChange(object: string, action: Action, thing: Shareable): boolean {
  const level = levelOf(object, action);
  if (level === 'ALL' || thing.visibility === 'ALL') return level === 'ALL';
  return isMine(thing) ? level !== 'NONE' : level === 'GROUP' && thing.visibility === 'GROUP';
}

/** With whom the user may share it; empty when it is not theirs to share. */
export function mayShare(object: string, thing: Shareable): Visibility[] {
  if (levelOf(object, 'update') === 'ALL') return ['MY', 'GROUP', 'ALL'];
  return isMine(thing) && mayChange(object, 'update', thing) ? ['MY', 'GROUP'] : [];
}

export function isMine({ ownerId }: Pick<Shareable, 'ownerId'>): boolean {
  return Boolean(ownerId) && ownerId === session.data?.user.id;
}

function levelOf(object: string, action: Action): string {
  return session.data?.permissions[object]?.[action] ?? 'NONE';
}
