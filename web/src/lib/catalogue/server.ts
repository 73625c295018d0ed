/** The catalogue at the server: compared, changed, and put back as it was. */
import { api, take } from '../api/client';
import type { ListQuery, Page } from '../api/types';
import { live } from '../state/live.svelte';
import type { CatalogueChange, CatalogueCheck, CataloguedModel, CataloguePreview, CatalogueProblem, CatalogueRevision, ProviderName, Update, Wanted } from './types';

const AT_ONCE = 200;

export function listCatalogue(query: ListQuery, signal?: AbortSignal): Promise<Page<CataloguedModel>> {
  return take(api.GET('/api/model-catalogue', { params: { query }, ...(signal ? { signal } : {}) }));
}

export function checkCatalogue(): Promise<CatalogueCheck> {
  return take(api.GET('/api/model-catalogue/check'));
}

export function preview(body: Update): Promise<CataloguePreview> {
  return take(api.POST('/api/model-catalogue/preview', { body }));
}

/** The newest revision. */
export async function apply(body: Update, revision: number): Promise<number> {
  const made = await take(api.POST('/api/model-catalogue', { body: { ...body, revision } }));
  live.changed('model');
  return made.revision;
}

/** Change one model, or say what is wrong with it. */
export async function put(wanted: Wanted): Promise<{ revision: number; isNew: boolean; problems: CatalogueProblem[] }> {
  const body = { models: [wanted] };
  const { revision, problems } = await preview(body);
  if (problems.length > 0) return { revision, isNew: false, problems };
  const made = await apply(body, revision);
  return { revision: made, isNew: made !== revision, problems };
}

export function listRevisions(query: ListQuery, signal: AbortSignal): Promise<Page<CatalogueRevision>> {
  return take(api.GET('/api/model-catalogue/revisions', { params: { query }, signal }));
}

export async function changesOf(revision: number): Promise<CatalogueChange[]> {
  return (await take(api.GET('/api/model-catalogue/revisions/{revision}', { params: { path: { revision } } }))).items;
}

export async function undo(revision: number): Promise<void> {
  await take(api.POST('/api/model-catalogue/revisions/{revision}/undo', { params: { path: { revision } } }));
  live.changed('model');
}

/** All of a provider that is not taken out. */
export async function modelsOf(provider: ProviderName): Promise<CataloguedModel[]> {
  const found: CataloguedModel[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<CataloguedModel> = await listCatalogue({ limit: AT_ONCE, ...(cursor ? { cursor } : {}) });
    found.push(...page.items.filter((one) => one.provider === provider && one.state !== 'removed'));
    cursor = page.nextCursor ?? null;
  }
  return found;
}
