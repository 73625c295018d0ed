/** What the map asks the server for. */
import { api, take } from '../api/client';
import type { Language } from '../api/types';
import type { AnchoredEdit } from './edits';

export type MapConfig = Awaited<ReturnType<typeof askConfig>>;
export type Extract = Awaited<ReturnType<typeof askExtract>>;

export type StoredMapEdits = Awaited<ReturnType<typeof askEdits>>;
type Place = { instanceId: string; workflowId: string };

export function askEdits(path: Place) {
  return take(api.GET('/api/workspace/{instanceId}/conversations/{workflowId}/map/edits', { params: { path } }));
}

/** Arrives also when the page is left at that moment. */
export function sendEdit(path: Place, { after, edit }: AnchoredEdit) {
  const body = { afterMessageId: after, edit };
  return take(api.POST('/api/workspace/{instanceId}/conversations/{workflowId}/map/edits', { params: { path }, body, keepalive: true }));
}

export function askConfig() {
  return take(api.GET('/api/geo/config'));
}

export function askExtract(egrid: string, language: Language) {
  return take(api.GET('/api/geo/oereb/{egrid}', { params: { path: { egrid }, query: { language } } }));
}
