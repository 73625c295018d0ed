/** What is done to files and folders, with a way back where there is one. Problems are said, not thrown. */
import { api, take } from '../api/client';
import type { components } from '../api/schema';
import type { Folder, StoredFile } from '../api/types';
import { t, tn } from '../i18n/index.svelte';
import { attempt } from '../state/attempt';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { sayProblem } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import { withUndo } from '../state/undo';

type BulkInput = components['schemas']['BulkInput'];
type Wanted = { action: BulkInput['action']; folderId?: string | null; tags?: string[] };

const MOST_AT_ONCE = 500;

/** The same change to all of them; true when it was done. */
export async function changeAll(files: readonly StoredFile[], wanted: Wanted): Promise<boolean> {
  const ids = files.map(({ id }) => id);
  return attempt(async () => {
    for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
      const path = { instanceId: files[0]!.instanceId };
      const body = { tags: [], ...wanted, ids: ids.slice(at, at + MOST_AT_ONCE) };
      await take(api.POST('/api/workspace/{instanceId}/files/bulk', { params: { path }, body }));
    }
  }, 'file');
}

export async function remove(files: readonly StoredFile[]): Promise<void> {
  if (!(await changeAll(files, { action: 'delete' }))) return;
  withUndo(about('files.deletedOne', 'files.deletedMany', files), () => changeAll(files, { action: 'restore' }));
}

export async function restore(files: readonly StoredFile[]): Promise<void> {
  if (await changeAll(files, { action: 'restore' })) toasts.show(about('files.restoredOne', 'files.restoredMany', files));
}

export async function move(files: readonly StoredFile[], folderId: string | null, folder: string): Promise<void> {
  const moved = files.filter((file) => file.folderId !== folderId);
  if (moved.length === 0 || !(await changeAll(moved, { action: 'move', folderId }))) return;
  withUndo(tn('files.movedTo', moved.length, { folder }), async () => {
    for (const before of new Set(moved.map((file) => file.folderId))) await changeAll(moved.filter((file) => file.folderId === before), { action: 'move', folderId: before });
  });
}

export async function archive(files: readonly StoredFile[]): Promise<void> {
  if (!(await changeAll(files, { action: 'archive' }))) return;
  withUndo(about('files.archivedOne', 'files.archivedMany', files), () => activate(files));
}

/** One by one: there is no such change to many. */
export async function activate(files: readonly StoredFile[]): Promise<void> {
  try {
    for (const { id } of files) await take(api.PATCH('/api/files/{fileId}', { params: { path: { fileId: id } }, body: { status: 'active' } }));
  } catch (cause) {
    sayProblem(cause);
  } finally {
    live.changed('file');
  }
}

/** Asks first: what is gone from the trash is gone. */
export function purge(files: readonly StoredFile[]): void {
  dialogs.confirm({
    title: files.length === 1 ? t('files.purgeOne', { name: files[0]!.name }) : tn('files.purgeMany', files.length),
    text: t('files.purgeText'),
    action: t('files.purge'),
    run: async () => {
      try {
        for (const { id } of files) await take(api.DELETE('/api/files/{fileId}', { params: { path: { fileId: id }, query: { forever: true } } }));
      } finally {
        live.changed('file');
      }
      toasts.show(about('files.purgedOne', 'files.purgedMany', files));
    },
  });
}

export async function moveFolder(folder: Folder, parentId: string | null, into: string): Promise<void> {
  if (parentId === folder.parentId || parentId === folder.id) return;
  const to = (place: string | null) => changeFolder(folder, { parentId: place });
  if (await to(parentId)) withUndo(t('folder.movedTo', { name: folder.name, folder: into }), () => to(folder.parentId));
}

export async function removeFolder(folder: Folder): Promise<boolean> {
  return attempt(async () => {
    await take(api.DELETE('/api/folders/{folderId}', { params: { path: { folderId: folder.id } } }));
    withUndo(t('folder.deleted', { name: folder.name }), () => restoreFolder(folder));
  }, 'folder', 'file');
}

export async function restoreFolder(folder: Folder): Promise<void> {
  await attempt(() => take(api.POST('/api/folders/{folderId}/restore', { params: { path: { folderId: folder.id } } })), 'folder', 'file');
}

function changeFolder({ id }: Folder, body: components['schemas']['FolderInput']): Promise<boolean> {
  return attempt(() => take(api.PATCH('/api/folders/{folderId}', { params: { path: { folderId: id } }, body })), 'folder', 'file');
}

function about(one: 'files.deletedOne' | 'files.restoredOne' | 'files.archivedOne' | 'files.purgedOne', many: 'files.deletedMany' | 'files.restoredMany' | 'files.archivedMany' | 'files.purgedMany', files: readonly StoredFile[]): string {
  return files.length === 1 ? t(one, { name: files[0]!.name }) : tn(many, files.length);
}
