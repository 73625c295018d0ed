/** Everything about files that is fetched when it is first needed, as one part: the first page, which knows the names of all
 * parts, stays light. See `load.ts`. */
export { default as Dialogs } from './dialogs/Host.svelte';
export { handleDropEvent } from './dropHandler.svelte';
export { default as FolderTree } from './FolderTree.svelte';
export { default as ProposalCard } from './ProposalCard.svelte';
export { default as VersionDiff } from './VersionDiff.svelte';
export { choose } from './startUploads';
export { uploads } from './uploads.svelte';
export { default as Files } from '../../routes/Files.svelte';
