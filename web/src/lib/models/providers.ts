/** Taking up what offers models: the start page and the settings do it alike. */
import { api, take } from '../api/client';
import type { FoundServer, OwnModel, Provider } from '../api/types';
import { live } from '../state/live.svelte';

/** A model the server only knows by name; what else there is to know of it has the server's usual values. */
export function ownModel(name: string): OwnModel {
  return { name } as OwnModel;
}

/** Look for model servers on the machine Workroom runs on. */
export async function detect(): Promise<FoundServer[]> {
  return (await take(api.POST('/api/model-providers/detect'))).items;
}

/** Use a server that was found, with everything it offers. It is inside the own network: choosing it is the yes to that. */
export async function addFound({ name, label, baseUrl, models }: FoundServer): Promise<Provider> {
  const body = { kind: 'endpoint' as const, name, label, baseUrl, allowPrivate: true, models: models.map(ownModel) };
  const added = await take(api.POST('/api/model-providers', { body }));
  live.changed('model');
  return added;
}

/** The models a provider says it has: if it answers, address and key are good. */
export async function askForModels(provider: Pick<Provider, 'name'>): Promise<string[]> {
  return (await take(api.POST('/api/model-providers/test', { body: { name: provider.name } }))).models;
}

type Change = { enabled?: boolean; models?: OwnModel[]; label?: string; baseUrl?: string; allowPrivate?: boolean; key?: string };

export async function changeProvider(providerId: string, body: Change): Promise<Provider> {
  const changed = await take(api.PATCH('/api/model-providers/{providerId}', { params: { path: { providerId } }, body }));
  live.changed('model');
  return changed;
}
