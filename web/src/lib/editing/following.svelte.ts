/** For the component in which something is written: it shows what is stored as it changes, and what is typed is kept. */
import { onMount, untrack } from 'svelte';
import { i18n } from '../i18n/index.svelte';
import { live } from '../state/live.svelte';
import type { DraftEditing, Versioned } from './draftEditing.svelte';

export function followStored<Stored extends Versioned, Draft extends object, Content extends object>(editing: DraftEditing<Stored, Draft, Content>): void {
  $effect(() => {
    void i18n.language; // what is shipped has texts in it
    untrack(() => void editing.look());
    return live.follow([editing.source.kind], () => void editing.look());
  });
  onMount(() => () => editing.leave());
  $effect(() => editing.keep());
}
