/** What can be done with files of the list: with one, and with many. */
import type { StoredFile } from '../api/types';
import { mayFile } from '../files/may';
import { sharable, share } from '../files/sharing';
import { t } from '../i18n/index.svelte';
import { filePath } from '../preview/place';
import { page } from '../state/route.svelte';
import type { MenuGroups, MenuItem } from '../ui/Menu.svelte';
import { tryAgain } from './problems';
import type { Row } from './rows';
import type { Stage } from './states';
import { viewPath } from './view';

// What is on its way is not begun anew.
const DONE: readonly Stage['kind'][] = ['failed', 'searchable', 'details', 'empty'];

export function menuOf(row: Row, slug: string): MenuGroups {
  const { file, status } = row.indexedFile;
  const searchIn: MenuItem = { label: t('knowledge.searchIn'), icon: 'search', run: () => page.go(viewPath(slug, { files: [file.id] })) };
  const open: MenuItem = { label: t('files.open'), icon: 'eye', run: () => page.go(filePath(slug, { fileId: file.id })) };
  return [[...(status?.chunks ? [searchIn] : []), open], againItems([row]), shareItems([file])];
}

/** Nothing when there is none it makes sense for. */
export function againItems(rows: readonly Row[]): MenuItem[] {
  const files = rows.filter((row) => DONE.includes(row.stage.kind) && mayFile('update', row.indexedFile.file)).map(({ indexedFile }) => indexedFile.file);
  return files.length > 0 ? [{ label: t('knowledge.again'), icon: 'rotate-ccw', run: () => void tryAgain(files) }] : [];
}

export function shareItems(files: readonly StoredFile[]): MenuItem[] {
  const seenByAll = files.some(({ visibility }) => visibility === 'ALL');
  const labels = { MY: t('sharing.takeBack'), GROUP: seenByAll ? t('sharing.workspaceOnly') : t('sharing.workspace'), ALL: t('sharing.all') };
  const icons = { MY: 'user', GROUP: 'users', ALL: 'layers' } as const;
  return sharable(files)
    .filter((whom) => files.some(({ visibility }) => visibility !== whom))
    .toReversed()
    .map((whom) => ({ label: labels[whom], icon: icons[whom], run: () => share(files, whom) }));
}

/** Whether selecting it leads anywhere. */
export function isSelectable({ indexedFile: { file } }: Row): boolean {
  return mayFile('update', file);
}
