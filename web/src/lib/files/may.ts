/** What somebody may do with a file or a folder. The server decides; this only hides what it would refuse. */
import type { Folder, StoredFile, Visibility } from '../api/types';
import { session } from '../state/session.svelte';

type Act = 'create' | 'update' | 'delete';

export function mayFile(act: Act, file: StoredFile): boolean {
  const level = levelOf('data.file', act);
  if (level === 'ALL' || file.visibility === 'ALL') return level === 'ALL';
  return isMine(file.ownerId) ? level !== 'NONE' : level === 'GROUP' && file.visibility === 'GROUP';
}

/** With whom somebody may share it; empty when it is not theirs to share. */
export function maySharing(file: StoredFile): Visibility[] {
  if (levelOf('data.file', 'update') === 'ALL') return ['MY', 'GROUP', 'ALL'];
  return isMine(file.ownerId) && file.visibility !== 'ALL' && mayFile('update', file) ? ['MY', 'GROUP'] : [];
}

export function mayFolder(act: Act, folder?: Folder): boolean {
  const level = levelOf('data.folder', act);
  return folder === undefined || level !== 'MY' ? level !== 'NONE' : isMine(folder.ownerId);
}

function levelOf(object: string, act: Act): string {
  return session.data?.permissions[object]?.[act] ?? 'NONE';
}

function isMine(ownerId: string | null): boolean {
  return ownerId === session.data?.user.id;
}
