/** What the map asks the server for. */
import { api, take } from '../api/client';
import type { Language } from '../api/types';

export type MapConfig = Awaited<ReturnType<typeof askConfig>>;
export type Extract = Awaited<ReturnType<typeof askExtract>>;

export function askConfig() {
  return take(api.GET('/api/geo/config'));
}

export function askExtract(egrid: string, language: Language) {
  return take(api.GET('/api/geo/oereb/{egrid}', { params: { path: { egrid }, query: { language } } }));
}
