/** The file of the workspace that is shown, or that holds what is shown: its name, tags, versions. */
import { api, take } from '../api/client';
import type { FileVersion, StoredFile } from '../api/types';
import { session } from '../state/session.svelte';

export class Owner {
  file = $state.raw<StoredFile | null>(null);
  versions = $state.raw<readonly FileVersion[] | null>(null);
  /** The workspace it belongs to, as addresses call it. */
  slug = $derived(session.workspaces.find(({ id }) => id === this.file?.instanceId)?.slug);

  constructor(readonly fileId: string) {}

  /** Loads it unless it is here. */
  async need(): Promise<void> {
    if (!this.file) await this.load();
  }

  async load(): Promise<void> {
    this.file = await take(api.GET('/api/files/{fileId}', { params: { path: { fileId: this.fileId } } }));
  }

  async loadVersions(): Promise<void> {
    const found = await take(api.GET('/api/files/{fileId}/versions', { params: { path: { fileId: this.fileId } } }));
    this.versions = found.items;
  }
}
