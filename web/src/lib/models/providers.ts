/** Taking up what offers models: the start page and the settings do it alike. */
import { api, take } from '../api/client';
import { Problem } from '../api/problem';
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
  const body = { kind: 'endpoint' as const, name, label, baseUrl, allowPrivate: true, models: models.map((model) => ownModel(model.name)), test: true };
  const added = await take(api.POST('/api/model-providers', { body }));
  live.changed('model');
  const failure = failureOf(added);
  if (failure) throw failure;
  return added;
}

/** The models a provider says it has: if it answers, address and key are good, and it waits no longer. */
export async function askForModels({ name, id }: Pick<Provider, 'name' | 'id'>): Promise<string[]> {
  try {
    return (await take(api.POST('/api/model-providers/test', { body: { name, id } }))).models;
  } finally {
    live.changed('model');
  }
}

/** Why a provider waits, as a problem that can be shown. */
export function failureOf({ failure }: Provider): Problem | null {
  return failure && new Problem(failure.code, failure.message, 0, '', failure.details);
}

type Change = { enabled?: boolean; models?: OwnModel[]; label?: string; baseUrl?: string; allowPrivate?: boolean; key?: string; test?: boolean };

export async function changeProvider(providerId: string, body: Change): Promise<Provider> {
  const changed = await take(api.PATCH('/api/model-providers/{providerId}', { params: { path: { providerId } }, body: { test: false, ...body } }));
  live.changed('model');
  return changed;
}
