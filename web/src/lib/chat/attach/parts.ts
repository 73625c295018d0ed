/** Everything about the files of a message that is fetched when it is first needed, as one part. See `attaching.svelte.ts`. */
export { attachedAt } from './places';
export { default as Chips } from './Chips.svelte';
export { default as Completion } from './Completion.svelte';
export { paste } from './paste';
export { whyNot } from './whyNot';
