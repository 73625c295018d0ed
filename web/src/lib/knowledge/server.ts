/** What these pages ask the server, each question in one place. */
import { api, take } from '../api/client';
import type { ListQuery, Page, StoredFile } from '../api/types';
import type { IndexedFile, IndexStatus, Passage } from './types';
import type { View } from './view';

export interface Most {
  limit: number;
  shared: number;
}

export interface Inventoried {
  files: IndexedFile[];
  /** There are more. */
  cut: boolean;
}

const AT_ONCE = 200;
const MOST = 2_000;

export async function askPassages(instanceId: string, view: View, most: Most, signal: AbortSignal): Promise<Passage[]> {
  const query = { q: view.q, ...most, meaning: !view.wordsOnly, fileId: [...view.files] };
  return (await take(api.GET('/api/workspace/{instanceId}/knowledge/search', { params: { path: { instanceId }, query }, signal }))).items;
}

/** Of files of this workspace; those whose indexing has not begun are not among them. */
export async function askStatuses(instanceId: string, fileIds: readonly string[], signal?: AbortSignal): Promise<Map<string, IndexStatus>> {
  const found = new Map<string, IndexStatus>();
  for (let at = 0; at < fileIds.length; at += AT_ONCE) {
    const body = { fileIds: fileIds.slice(at, at + AT_ONCE) };
    const { items } = await take(api.POST('/api/workspace/{instanceId}/knowledge/status', { params: { path: { instanceId } }, body, signal: signal ?? null }));
    for (const status of items) found.set(status.fileId, status);
  }
  return found;
}

/** Files of the workspace with their index status. */
export async function askIndexedFiles(instanceId: string, query: ListQuery, signal?: AbortSignal): Promise<Page<IndexedFile>> {
  const page: Page<StoredFile> = await take(api.GET('/api/workspace/{instanceId}/files', { params: { path: { instanceId }, query }, signal: signal ?? null }));
  const known = await askStatuses(instanceId, page.items.map(({ id }) => id), signal);
  return { ...page, items: page.items.map((file) => ({ file, status: known.get(file.id) })) };
}

/** The files of the workspace and those that everybody shares, the newest of each. */
export async function askInventory(instanceId: string, q: string, signal: AbortSignal): Promise<Inventoried> {
  const [own, shared] = await Promise.all([askNewest(instanceId, q, {}, signal), askNewest(instanceId, q, { visibility: 'ALL' }, signal)]);
  const files = [...new Map([...own.files, ...shared.files].map((file) => [file.id, file])).values()];
  const known = await askStatuses(instanceId, files.map(({ id }) => id), signal);
  return { files: files.map((file) => ({ file, status: known.get(file.id) })), cut: own.cut || shared.cut };
}

async function askNewest(instanceId: string, q: string, which: { visibility?: 'ALL' }, signal: AbortSignal): Promise<{ files: StoredFile[]; cut: boolean }> {
  const files: StoredFile[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    if (files.length >= MOST) return { files, cut: true };
    const query = { limit: AT_ONCE, sort: 'updatedAt', order: 'desc' as const, ...which, ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) };
    const page: Page<StoredFile> = await take(api.GET('/api/workspace/{instanceId}/files', { params: { path: { instanceId }, query }, signal }));
    files.push(...page.items);
    cursor = page.nextCursor ?? null;
  }
  return { files, cut: false };
}

export const askFile = (fileId: string) => take(api.GET('/api/files/{fileId}', { params: { path: { fileId } } }));

export const askStatus = (fileId: string) => take(api.GET('/api/files/{fileId}/knowledge', { params: { path: { fileId } } }));

export const askRecognition = (fileId: string) => take(api.POST('/api/files/{fileId}/knowledge/recognition', { params: { path: { fileId } } }));

export const callOffRecognition = (fileId: string) => take(api.DELETE('/api/files/{fileId}/knowledge/recognition', { params: { path: { fileId } } }));

export const indexAgain = (fileId: string) => take(api.POST('/api/files/{fileId}/knowledge/again', { params: { path: { fileId } } }));
