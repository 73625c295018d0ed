/** Folders as a tree, made of the flat list the server gives. Pure. */
import type { Folder } from '../api/types';

type Node = Pick<Folder, 'id' | 'parentId' | 'name'>;

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** What lies directly in it; `null` for the top. A folder whose parent is not there is at the top. */
export function childrenOf<F extends Node>(folders: readonly F[], parentId: string | null): F[] {
  const known = new Set(folders.map(({ id }) => id));
  const parentOf = (folder: F) => (folder.parentId !== null && known.has(folder.parentId) ? folder.parentId : null);
  return folders.filter((folder) => parentOf(folder) === parentId).sort((a, b) => byName.compare(a.name, b.name));
}

/** From the outermost folder to this one; empty when there is no such folder. */
export function pathOf<F extends Node>(folders: readonly F[], id: string | null): F[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const path: F[] = [];
  for (let at = id === null ? undefined : byId.get(id); at && !path.includes(at); at = at.parentId === null ? undefined : byId.get(at.parentId)) path.unshift(at);
  return path;
}

/** In the order they are drawn, each with its depth; `opened` says whose children are there. */
export function flatten<F extends Node>(folders: readonly F[], opened: (folder: F) => boolean = () => true): { folder: F; depth: number; children: number }[] {
  const below = (parentId: string | null, depth: number): { folder: F; depth: number; children: number }[] =>
    childrenOf(folders, parentId).flatMap((folder) => {
      const children = childrenOf(folders, folder.id).length;
      return [{ folder, depth, children }, ...(children > 0 && opened(folder) ? below(folder.id, depth + 1) : [])];
    });
  return below(null, 0);
}

/** Whether `id` is `above`, or lies somewhere in it: there it cannot be moved to. */
export function isWithin(folders: readonly Node[], id: string | null, above: string): boolean {
  return pathOf(folders, id).some((folder) => folder.id === above);
}
