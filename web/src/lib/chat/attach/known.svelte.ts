/** Names and ids of files, as conversations mention them: models call a file by either, people want the name and a click the id.
 * What is not known is asked for once. */
import { SvelteMap } from 'svelte/reactivity';
import { api, take } from '../../api/client';
import { looksLikeContainer } from '../../preview/place';
import { session } from '../../state/session.svelte';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface KnownFile {
  id?: string | undefined;
  name?: string | undefined;
}

const found = new SvelteMap<string, KnownFile>();
const asked = new Set<string>();

/** As far as it is known; more comes when the server has answered. */
export function knownFile(ref: string, workspaceId: string | undefined): KnownFile {
  const key = `${session.data?.user.id} ${workspaceId} ${ref}`; // another user who signs in later may know less
  const known = found.get(key);
  if (known) return known;
  if (workspaceId !== undefined && !asked.has(key)) {
    asked.add(key);
    // Without an answer it stays as it was called.
    (ID.test(ref) ? byId(ref) : byName(ref, workspaceId)).then((file) => file && found.set(key, file), () => {});
  }
  return ID.test(ref) ? { id: ref } : { name: ref.split('/').at(-1) };
}

async function byId(fileId: string): Promise<KnownFile> {
  const { name } = await take(api.GET('/api/files/{fileId}', { params: { path: { fileId } } }));
  return { id: fileId, name };
}

/** Only if one file alone is called so. */
async function byName(ref: string, instanceId: string): Promise<KnownFile | undefined> {
  const path = ref.replace(/^@?"?\/?|"$/g, '');
  if (path.split('/').slice(0, -1).some(looksLikeContainer)) return undefined; // it lies in an archive
  const params = { path: { instanceId }, query: { q: path, limit: 20 } };
  const { items } = await take(api.GET('/api/workspace/{instanceId}/mentions', { params }));
  const wanted = path.toLowerCase();
  const fitting = items.filter(({ kind, path: whole }) => kind === 'file' && `/${whole.toLowerCase()}`.endsWith(`/${wanted}`));
  return fitting.length === 1 ? fitting[0] : undefined;
}
