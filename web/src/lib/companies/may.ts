/** What the user may do with companies. The server decides; this only hides what it would refuse. */
import { session } from '../state/session.svelte';

export const mayCreate = (): boolean => levelOf('create') !== 'NONE';

export function mayCompany(act: 'update' | 'delete', { ownerId }: { ownerId: string | null }): boolean {
  const isMine = ownerId !== null && ownerId === session.data?.user.id;
  return isMine ? levelOf(act) !== 'NONE' : ['GROUP', 'ALL'].includes(levelOf(act));
}

function levelOf(act: 'create' | 'update' | 'delete'): string {
  return session.data?.permissions['data.company']?.[act] ?? 'NONE';
}
