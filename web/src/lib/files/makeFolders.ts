/** Folders for what was dropped: those that are there already are used, the others are made, outermost first. */
import { api, take } from '../api/client';
import { Problem } from '../api/problem';
import type { Folder } from '../api/types';
import { allFolders } from './allFolders';

type Known = Pick<Folder, 'id' | 'parentId' | 'name'>;

export interface FolderServer {
  list(instanceId: string): Promise<readonly Known[]>;
  create(instanceId: string, name: string, parentId: string | null): Promise<Known>;
}

const server: FolderServer = {
  list: (instanceId) => allFolders(instanceId),
  create: (instanceId, name, parentId) => take(api.POST('/api/workspace/{instanceId}/folders', { params: { path: { instanceId } }, body: { name, parentId } })),
};

/** The id of the folder of each path, by its names joined with slashes; `''` is the place itself. */
export async function makeFolders(instanceId: string, place: string | null, paths: readonly (readonly string[])[], via: FolderServer = server): Promise<Map<string, string | null>> {
  const made = new Map<string, string | null>([['', place]]);
  if (paths.every((path) => path.length === 0)) return made;
  let known = await via.list(instanceId);
  const find = (parentId: string | null, name: string) => known.find((folder) => folder.parentId === parentId && folder.name === name.normalize('NFC'));
  for (const path of paths) {
    for (let depth = 1; depth <= path.length; depth += 1) {
      const key = path.slice(0, depth).join('/');
      if (made.has(key)) continue;
      const parentId = made.get(path.slice(0, depth - 1).join('/')) ?? null;
      const name = path[depth - 1]!;
      let folder = find(parentId, name);
      try {
        folder ??= await via.create(instanceId, name, parentId);
      } catch (cause) {
        if (Problem.of(cause).code !== 'nameTaken') throw cause;
        known = await via.list(instanceId); // another user made it meanwhile
        folder = find(parentId, name);
        if (!folder) throw cause;
      }
      made.set(key, folder.id);
    }
  }
  return made;
}
