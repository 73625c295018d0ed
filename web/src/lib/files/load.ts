/** Fetches everything about files when it is first needed, with its texts. In one place: the first page, which this is part
 * of, has to stay light. */
import { later } from '../i18n/index.svelte';

export const loadFiles = later(() => import('./parts'));

/** One of its components, for `Loaded` and `DialogHost`. */
export const partOfFiles = <Name extends 'Dialogs' | 'Files' | 'FolderTree' | 'ProposalCard' | 'VersionDiff'>(name: Name) => async () => ({ default: (await loadFiles())[name] });
