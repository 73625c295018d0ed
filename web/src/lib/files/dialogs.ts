/** The dialogs of files; one entry among all dialogs (`state/dialogs.svelte.ts`), so that the first page stays light. */
import type { Folder, StoredFile } from '../api/types';
import { dialogs } from '../state/dialogs.svelte';

export type FilesDialog =
  | { what: 'folder'; instanceId: string; parentId: string | null; folder?: Folder }
  | { what: 'text'; instanceId: string; slug: string; folderId: string | null }
  | { what: 'details'; file: StoredFile }
  | { what: 'move'; instanceId: string; files: readonly StoredFile[]; folder?: Folder }
  | { what: 'share'; files: readonly StoredFile[] }
  | { what: 'tags'; files: readonly StoredFile[] }
  | { what: 'versions'; file: StoredFile };

export function show(about: FilesDialog): void {
  dialogs.show({ kind: 'files', about });
}
