/** What the user may do with a file or a folder. The server decides; this only hides what it would refuse. */
import type { Folder, StoredFile, Visibility } from '../api/types';
import { session } from '../state/session.svelte';

type Act = 'create' | 'update' | 'delete';

export function mayFile(act: Act, file: StoredFile): boolean {
  const level = levelOf('data.file', act);
  if (file.visibility === 'ALL') return level === 'ALL';
  if (isMine(file.ownerId)) return level !== 'NONE';
  return file.visibility === 'GROUP' && (level === 'GROUP' || level === 'ALL'); // no level opens what is private to another user
}

/** With whom the user may share it; empty when it is not theirs to share. */
export function maySharing(file: StoredFile): Visibility[] {
  if (!mayFile('update', file)) return [];
  const everybody = levelOf('data.file', 'update') === 'ALL';
  if (file.visibility === 'ALL' || (everybody && isMine(file.ownerId))) return ['MY', 'GROUP', 'ALL'];
  if (isMine(file.ownerId)) return ['MY', 'GROUP'];
  return everybody ? ['ALL'] : [];
}

/** Whether the user says with which persons these are shared; the same for all of them, or it could not be shown. */
export function maySharePersons(files: readonly StoredFile[]): boolean {
  const personsOf = (file: StoredFile | undefined) => JSON.stringify(file?.sharedWith ?? []);
  return files.every((file) => isMine(file.ownerId) && mayFile('update', file) && personsOf(file) === personsOf(files[0]));
}

export function mayFolder(act: Act, folder?: Folder): boolean {
  const level = levelOf('data.folder', act);
  return folder === undefined || level !== 'MY' ? level !== 'NONE' : isMine(folder.ownerId);
}

function levelOf(object: string, act: Act): string {
  return session.data?.permissions[object]?.[act] ?? 'NONE';
}

export function isMine(ownerId: string | null): boolean {
  return ownerId === session.data?.user.id;
}
