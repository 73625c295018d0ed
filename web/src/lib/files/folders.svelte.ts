/** The folders of the workspace on the screen: one list for the page, the tree on the left and the dialogs. */
import type { Folder } from '../api/types';
import { Problem } from '../api/problem';
import { live } from '../state/live.svelte';
import { Newest } from '../state/newest';
import { allFolders } from './allFolders';
import { childrenOf, pathOf } from './tree';

class Folders {
  items = $state.raw<readonly Folder[]>([]);
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  #instanceId = '';
  #newest = new Newest();

  constructor() {
    live.follow(['folder'], () => void this.#load());
  }

  /** Show those of this workspace; asked for once, then kept current. */
  use(instanceId: string): void {
    if (this.#instanceId === instanceId && this.status !== 'failed') return;
    if (this.#instanceId !== instanceId) this.items = [];
    this.#instanceId = instanceId;
    this.status = 'loading';
    void this.#load();
  }

  get(id: string | null): Folder | undefined {
    return this.items.find((folder) => folder.id === id);
  }

  in(parentId: string | null): Folder[] {
    return childrenOf(this.items, parentId);
  }

  path(id: string | null): Folder[] {
    return pathOf(this.items, id);
  }

  async #load(): Promise<void> {
    const instanceId = this.#instanceId;
    if (instanceId === '') return;
    const isNewest = this.#newest.ask();
    try {
      const items = await allFolders(instanceId);
      if (!isNewest()) return;
      this.items = items;
      this.status = 'ready';
      this.problem = null;
    } catch (cause) {
      if (!isNewest()) return;
      this.problem = Problem.of(cause);
      this.status = 'failed';
    }
  }
}

export const folders = new Folders();
