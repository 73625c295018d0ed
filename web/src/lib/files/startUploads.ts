/** Starts uploads: creates the folders of the files, queues them, and shows the tray with their progress. */
import { mount } from 'svelte';
import { t } from '../i18n/index.svelte';
import { live } from '../state/live.svelte';
import { sayProblem } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import { MOST_FILES, readChosen, TooMany, type DroppedEntry } from './droppedEntries';
import { makeFolders } from './makeFolders';
import Tray from './Tray.svelte';
import { uploads } from './uploads.svelte';

export interface Place {
  instanceId: string;
  folderId: string | null;
}

let hasTray = false;

/** Once there is something to show it stays, over all pages. */
function showTray(): void {
  if (hasTray) return;
  hasTray = true;
  mount(Tray, { target: document.body });
  addEventListener('beforeunload', (event) => {
    if (uploads.open.length > 0) event.preventDefault();
  });
}

export async function startUploads(read: () => Promise<readonly DroppedEntry[]> | readonly DroppedEntry[], { instanceId, folderId }: Place): Promise<void> {
  try {
    const dropped = await read();
    const made = await makeFolders(instanceId, folderId, dropped.map(({ path }) => path));
    if (made.size > 1) live.changed('folder');
    for (const [key, into] of made) {
      const files = dropped.flatMap(({ path, file }) => (file && path.join('/') === key ? file : []));
      if (files.length > 0) uploads.add(files, { instanceId, folderId: into });
    }
    if (uploads.items.length > 0) showTray();
  } catch (cause) {
    if (cause instanceof TooMany) toasts.show(t('files.tooMany', { most: MOST_FILES }), { tone: 'danger' });
    else sayProblem(cause);
  }
}

/** The browser's own dialog, for files or for a whole folder. */
export function choose(place: Place, { folder = false } = {}): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = folder;
  input.onchange = () => void startUploads(() => readChosen([...(input.files ?? [])]), place);
  input.click();
}
