/** All folders of a workspace, or all in its trash, however many pages that takes. */
import { api, take } from '../api/client';
import type { Folder } from '../api/types';

export async function allFolders(instanceId: string, deleted = false): Promise<Folder[]> {
  const found: Folder[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { limit: 200, deleted, sort: 'name', ...(cursor ? { cursor } : {}) };
    const page = await take(api.GET('/api/workspace/{instanceId}/folders', { params: { path: { instanceId }, query } }));
    found.push(...page.items);
    if (!page.nextCursor) return found;
    cursor = page.nextCursor;
  }
}
