/** What can be done with a file or a folder, for menus and the bar of many. */
import type { Folder, StoredFile } from '../api/types';
import { t } from '../i18n/index.svelte';
import { tryAgain } from '../knowledge/problems';
import { toasts } from '../state/toasts.svelte';
import type { MenuGroups, MenuItem } from '../ui/Menu.svelte';
import { ask, mayAsk, summarise } from './ask';
import type { FileBrowser } from './browser.svelte';
import { activate, archive, move, purge, remove, removeFolder, restore, restoreFolder } from './changes';
import { show } from './dialogs';
import { folders } from './folders.svelte';
import { indexing } from './indexing.svelte';
import { mayFile, mayFolder, maySharePersons } from './may';
import { sharable, share, sharedText } from './sharing';
import { filePath } from './view';

type Maybe = MenuItem | false;
const those = (...items: Maybe[]): MenuItem[] => items.filter((item) => item !== false);

export function fileMenu(browser: FileBrowser, file: StoredFile): MenuGroups {
  const about = browser.about(file);
  if (browser.view.trash) return trashMenu(about);
  if (about.length > 1) return [manyItems(browser, about).flat()];
  const { id } = file;
  const change = mayFile('update', file);
  const elsewhere = browser.view.folder !== file.folderId && file.folderId !== null && folders.get(file.folderId) !== undefined;
  return [
    those(
      { label: t('files.open'), icon: 'eye', run: () => browser.open(id) },
      mayAsk(file) && { label: t('files.ask'), icon: 'circle-help', run: () => ask(file) },
      mayAsk(file) && { label: t('files.summarise'), icon: 'scroll-text', run: () => void summarise(file) },
      { label: t('files.download'), icon: 'arrow-down', run: () => download(file) },
      { label: t('files.copyLink'), icon: 'link', run: () => void copyLink(browser, file) },
      elsewhere && { label: t('files.toFolder'), icon: 'folder', run: () => browser.show({ folder: file.folderId }) },
    ),
    those(
      { label: t('files.details'), icon: 'info', run: () => show({ what: 'details', file }) },
      change && { label: t('files.rename'), icon: 'pencil', run: () => (browser.renaming = id) },
      { label: t('files.versions'), icon: 'rotate-ccw', run: () => show({ what: 'versions', file }) },
      change && indexing.of(id)?.state === 'failed' && { label: t('knowledge.again'), icon: 'book-open', run: () => void tryAgain([file]) },
      !browser.selection.has(id) && { label: t('files.selectThis'), icon: 'check', run: () => browser.selection.pick(id, browser.order, { toggle: true }) },
    ),
    ...manyItems(browser, about),
  ];
}

/** What can be done with one as with many. */
export function manyItems({ workspace }: FileBrowser, files: readonly StoredFile[]): MenuItem[][] {
  const change = files.every((file) => mayFile('update', file));
  const archived = files.every(({ status }) => status === 'archived');
  return [
    those(
      change && { label: t('files.move'), icon: 'corner-down-right', run: () => show({ what: 'move', instanceId: workspace.id, files }) },
      change && { label: t('files.tags'), icon: 'tag', run: () => show({ what: 'tags', files }) },
      change && (archived ? { label: t('files.activate'), icon: 'archive-restore', run: () => void activate(files) } : { label: t('files.archive'), icon: 'archive', run: () => void archive(files) }),
    ),
    sharing(files),
    those(files.every((file) => mayFile('delete', file)) && { label: t('files.delete'), icon: 'trash-2', danger: true, run: () => void remove(files) }),
  ];
}

export function sharing(files: readonly StoredFile[]): MenuItem[] {
  const alone = (file: StoredFile) => ({ ...file, sharedWith: [] });
  const ways = sharable(files).map((whom): MenuItem => {
    const label = sharedText(whom, files.map(alone));
    const checked = files.every((file) => file.visibility === whom && sharedText(whom, [file]) === label);
    return { label, checked, run: () => share(files, whom) };
  });
  return those(...ways, maySharePersons(files) && { label: t('sharing.withPersons'), icon: 'user-plus', run: () => show({ what: 'share', files }) });
}

export function trashMenu(files: readonly StoredFile[]): MenuGroups {
  return [
    [{ label: t('files.restore'), icon: 'rotate-ccw', run: () => void restore(files) }],
    [{ label: t('files.purge'), icon: 'trash-2', danger: true, run: () => purge(files) }],
  ];
}

export function folderMenu(browser: FileBrowser, folder: Folder): MenuGroups {
  if (browser.view.trash) return [[{ label: t('files.restore'), icon: 'rotate-ccw', run: () => void restoreFolder(folder) }]];
  const { id: instanceId } = browser.workspace;
  const change = mayFolder('update', folder);
  return [
    those(
      { label: t('files.open'), icon: 'folder', run: () => browser.open(folder.id) },
      mayFolder('create') && { label: t('folder.newInside'), icon: 'plus', run: () => show({ what: 'folder', instanceId, parentId: folder.id }) },
    ),
    those(
      change && { label: t('folder.edit'), icon: 'pencil', run: () => show({ what: 'folder', instanceId, parentId: folder.parentId, folder }) },
      change && { label: t('files.move'), icon: 'corner-down-right', run: () => show({ what: 'move', instanceId, files: [], folder }) },
    ),
    those(mayFolder('delete', folder) && { label: t('files.delete'), icon: 'trash-2', danger: true, run: () => void away(browser, folder) }),
  ];
}

/** One does not stay in a folder that is gone. */
async function away(browser: FileBrowser, folder: Folder): Promise<void> {
  const isHere = folders.path(browser.view.folder).some(({ id }) => id === folder.id);
  if ((await removeFolder(folder)) && isHere) browser.show({ folder: folder.parentId }, { replace: true });
}

/** Files dropped on a folder of the page or of the tree. */
export function moveHere(browser: FileBrowser, ids: readonly string[], folderId: string | null): void {
  const files = browser.files.filter(({ id }) => ids.includes(id));
  void move(files, folderId, folders.get(folderId)?.name ?? t('files.all'));
  browser.selection.clear();
}

export function download({ id, name }: StoredFile, version?: number): void {
  const link = document.createElement('a');
  link.href = `/api/files/${id}/content${version === undefined ? '' : `?version=${version}`}`;
  link.download = name;
  link.click();
}

async function copyLink({ workspace }: FileBrowser, { id }: StoredFile): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(filePath(workspace.slug, id), location.origin).href);
    toasts.show(t('action.copied'));
  } catch {
    toasts.show(t('chat.noClipboard'), { tone: 'danger' });
  }
}
