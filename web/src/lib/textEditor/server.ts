/** Text files as the editor reads and stores them. */
import { api, take } from '../api/client';
import type { components } from '../api/schema';
import type { StoredFile } from '../api/types';

export type FileText = components['schemas']['FileText'];

export async function askText(fileId: string, version?: number, signal?: AbortSignal): Promise<FileText> {
  const params = { path: { fileId }, query: version === undefined ? {} : { version } };
  return take(api.GET('/api/files/{fileId}/text', { params, signal: signal ?? null }));
}

export async function askFile(fileId: string, signal: AbortSignal): Promise<StoredFile> {
  return take(api.GET('/api/files/{fileId}', { params: { path: { fileId } }, signal }));
}

/** `version` is the one the text was made from. */
export async function writeText(fileId: string, version: number, text: string): Promise<FileText> {
  return take(api.PUT('/api/files/{fileId}/text', { params: { path: { fileId } }, body: { version, text } }));
}

export async function createTextFile(instanceId: string, name: string, folderId: string | null, text = ''): Promise<StoredFile> {
  return take(api.POST('/api/workspace/{instanceId}/files/text', { params: { path: { instanceId } }, body: { name, folderId, text } }));
}
