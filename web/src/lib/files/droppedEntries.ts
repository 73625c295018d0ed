/** Dropped or chosen files as a flat list: each with the folders it lies in, and folders that are empty. */

export interface DroppedEntry {
  /** Names of the folders above, outermost first. */
  path: readonly string[];
  /** Nothing: the folder itself, which is empty. */
  file?: File;
}

/** More than this is a whole disk. */
export const MOST_FILES = 5_000;
// What systems leave in folders for themselves.
const LEFTOVERS = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini', '.localized']);

export class TooMany extends Error {}

export async function readDropped(items: readonly (FileSystemEntry | File | null)[]): Promise<DroppedEntry[]> {
  const found: DroppedEntry[] = [];
  for (const item of items) {
    if (item instanceof File) found.push({ path: [], file: item });
    else if (item !== null) await read(item, [], found);
  }
  return found;
}

/** Of a whole folder chosen in a file dialog, where each file knows its path. */
export function readChosen(files: readonly File[]): DroppedEntry[] {
  if (files.length > MOST_FILES) throw new TooMany();
  return files.filter(({ name }) => !LEFTOVERS.has(name)).map((file) => ({ path: file.webkitRelativePath.split('/').slice(0, -1), file }));
}

async function read(entry: FileSystemEntry, path: readonly string[], found: DroppedEntry[]): Promise<void> {
  if (found.length >= MOST_FILES) throw new TooMany();
  if (entry.isFile) {
    if (LEFTOVERS.has(entry.name)) return;
    found.push({ path, file: await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)) });
    return;
  }
  const inside = [...path, entry.name];
  const children = await childrenOf(entry as FileSystemDirectoryEntry);
  if (children.length === 0) found.push({ path: inside });
  for (const child of children) await read(child, inside, found);
}

/** Browsers hand a folder out in pieces of a hundred, the last one empty. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
