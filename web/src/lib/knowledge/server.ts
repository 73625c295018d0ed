/** What these pages ask the server, each question in one place. */
import { api, take } from '../api/client';
import type { ListQuery, Page, StoredFile } from '../api/types';
import type { IndexStatus, Passage, Shelved } from './types';
import type { View } from './view';

export interface Most {
  limit: number;
  shared: number;
}

const AT_ONCE = 200;

export async function askPassages(instanceId: string, view: View, most: Most, signal: AbortSignal): Promise<Passage[]> {
  const query = { q: view.q, ...most, meaning: !view.wordsOnly, fileId: [...view.files] };
  return (await take(api.GET('/api/workspace/{instanceId}/knowledge/search', { params: { path: { instanceId }, query }, signal }))).items;
}

/** Of files of this workspace; those nobody has begun with are not among them. */
export async function askStatuses(instanceId: string, fileIds: readonly string[], signal?: AbortSignal): Promise<Map<string, IndexStatus>> {
  const found = new Map<string, IndexStatus>();
  for (let at = 0; at < fileIds.length; at += AT_ONCE) {
    const body = { fileIds: fileIds.slice(at, at + AT_ONCE) };
    const { items } = await take(api.POST('/api/workspace/{instanceId}/knowledge/status', { params: { path: { instanceId } }, body, signal: signal ?? null }));
    for (const status of items) found.set(status.fileId, status);
  }
  return found;
}

/** Files of the workspace with how far they have come. */
export async function askShelf(instanceId: string, query: ListQuery, signal?: AbortSignal): Promise<Page<Shelved>> {
  const page: Page<StoredFile> = await take(api.GET('/api/workspace/{instanceId}/files', { params: { path: { instanceId }, query }, signal: signal ?? null }));
  const known = await askStatuses(instanceId, page.items.map(({ id }) => id), signal);
  return { ...page, items: page.items.map((file) => ({ file, status: known.get(file.id) })) };
}

export const askFile = (fileId: string) => take(api.GET('/api/files/{fileId}', { params: { path: { fileId } } }));

export const indexAgain = (fileId: string) => take(api.POST('/api/files/{fileId}/knowledge/again', { params: { path: { fileId } } }));
