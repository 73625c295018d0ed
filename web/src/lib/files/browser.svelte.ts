/** The page of files as it is now: what is looked at, what is there, what is selected, which name is being changed. */
import { api, take } from '../api/client';
import type { Folder, InstanceRef, StoredFile } from '../api/types';
import { List } from '../state/list.svelte';
import { page } from '../state/route.svelte';
import { allFolders } from './allFolders';
import { folders } from './folders.svelte';
import { Selection } from './selection.svelte';
import type { Place } from './startUploads';
import { tags } from './tags.svelte';
import { askedOf, filePath, isOnlyWords, isSearch, readView, viewPath, type View } from './view';

export class FileBrowser {
  readonly selection = new Selection();
  readonly list: List<StoredFile>;
  renaming = $state<string | null>(null);
  #deleted = $state.raw<readonly Folder[]>([]);

  constructor(readonly workspace: InstanceRef) {
    const path = { instanceId: workspace.id };
    this.list = new List<StoredFile>(async (query, signal) => {
      const found = await take(api.GET('/api/workspace/{instanceId}/files', { params: { path, query: { ...query, ...askedOf(this.view) } }, signal }));
      tags.saw(found.items);
      return found;
    });
  }

  view: View = $derived(readView(page.query));
  files: readonly StoredFile[] = $derived.by(() => this.list.items);
  selected: readonly StoredFile[] = $derived(this.files.filter(({ id }) => this.selection.has(id)));
  folders: readonly Folder[] = $derived.by(() => {
    const { trash, folder, q } = this.view;
    if (trash) return this.#deleted;
    if (!isSearch(this.view)) return folders.in(folder);
    return isOnlyWords(this.view) ? folders.items.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase())) : [];
  });

  /** Files, which can be selected; and before them the folders, which the keyboard passes too. */
  order: readonly string[] = $derived(this.files.map(({ id }) => id));
  rows: readonly string[] = $derived([...this.folders.map(({ id }) => id), ...this.order]);

  /** Where new things go. */
  get place(): Place {
    return { instanceId: this.workspace.id, folderId: folders.get(this.view.trash ? null : this.view.folder)?.id ?? null };
  }

  async load(): Promise<void> {
    await Promise.all([this.list.load(), this.#loadTrash()]);
  }

  async refresh(): Promise<void> {
    await Promise.all([this.list.refresh(), this.#loadTrash()]);
    this.selection.keep(this.list.items.map(({ id }) => id)); // not `order`: the page may have been left meanwhile
  }

  show(view: Partial<View>, how?: { replace: boolean }): void {
    page.go(viewPath(this.workspace.slug, view), how);
  }

  open(id: string): void {
    const folder = this.folders.find((other) => other.id === id);
    if (folder) {
      if (!this.view.trash) this.show({ folder: id, sort: this.view.sort, order: this.view.order });
    } else if (!this.view.trash) page.go(filePath(this.workspace.slug, id));
  }

  /** Those a menu on this row is about: all selected if it is one of them, else it alone. */
  about(file: StoredFile): readonly StoredFile[] {
    return this.selection.has(file.id) ? this.selected : [file];
  }

  async #loadTrash(): Promise<void> {
    if (!this.view.trash) return;
    try {
      // What was deleted with a folder comes back with it.
      this.#deleted = (await allFolders(this.workspace.id, true)).filter(({ deletedWith }) => deletedWith === null);
    } catch {
      this.#deleted = []; // the list of files says what is wrong
    }
  }
}
