/** What the one search asks the server. */
import { api, take } from '../api/client';
import type { components } from '../api/schema';
import { i18n } from '../i18n/index.svelte';

type Shapes = components['schemas'];

export type SearchHit = Shapes['SearchHit'];
export type SearchKind = Shapes['SearchKind'];
export type SearchGap = Shapes['SearchGap'];

export function askSearch(instanceId: string, q: string, kinds: readonly SearchKind[], limit: number, signal: AbortSignal): Promise<Shapes['SearchResult']> {
  const query = { q, kinds: [...kinds], limit, language: i18n.language };
  return take(api.GET('/api/workspace/{instanceId}/search', { params: { path: { instanceId }, query }, signal }));
}
