/** Everything about the search that is fetched when it is first needed, as one part. See `load.ts`. */
export { default as Chips } from './Chips.svelte';
export { default as Found } from './Found.svelte';
export { default as HitLine } from './HitLine.svelte';
export { default as HitSection } from './HitSection.svelte';
export { default as SearchStatus } from './SearchStatus.svelte';
export { settingsParts } from './settingsParts';
export { PaletteSearch } from './paletteSearch.svelte';
