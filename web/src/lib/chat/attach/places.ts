/** The files of every message being written, for as long as the window is open: going elsewhere stops no upload. */
import { api, take } from '../../api/client';
import { uploads } from '../../files/uploads.svelte';
import { t } from '../../i18n/index.svelte';
import { session } from '../../state/session.svelte';
import { toasts } from '../../state/toasts.svelte';
import { draftFiles, keepFiles } from '../drafts';
import type { FileRef } from '../turns';
import { Attached, MOST } from './attached.svelte';

const places = new Map<string, Attached>();

interface Where {
  place: string;
  workspaceId: string;
  initial: readonly FileRef[];
}

export function attachedAt({ place, workspaceId, initial }: Where): Attached {
  const key = `${session.data?.user.id} ${place}`; // another user who signs in later sees nothing of this one
  const known = places.get(key);
  if (known) return known;
  const look = (fileId: string) => take(api.GET('/api/files/{fileId}', { params: { path: { fileId } } }));
  const keep = (ids: readonly string[] | undefined) => {
    keepFiles(place, ids);
    if (ids === undefined) places.delete(key); // the next message, or the same one once more, begins anew
  };
  const tooMany = () => void toasts.show(t('attach.tooMany', { most: MOST }), { tone: 'danger' });
  const attached = new Attached(workspaceId, { uploads, look, keep, tooMany }, draftFiles(place), initial);
  places.set(key, attached);
  return attached;
}

// What is on its way when the window closes is lost.
addEventListener('beforeunload', (event) => {
  if (uploads.open.length > 0) event.preventDefault();
});
