/** Shares something with others, and says so with a way back. */
import type { Visibility } from '../api/types';
import type { ChangeKind } from '../events/protocol';
import { t } from '../i18n/index.svelte';
import { live } from '../state/live.svelte';
import { sayProblem } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import { isMine, type Shareable } from './rights';

interface Sharing {
  kind: ChangeKind;
  /** As it is so far. */
  thing: Shareable;
  whom: Visibility;
  send: (whom: Visibility) => Promise<unknown>;
  /** What was done. */
  text: string;
}

export async function shareWithUndo({ kind, thing, whom, send, text }: Sharing): Promise<void> {
  const share = async (visibility: Visibility) => {
    await send(visibility);
    live.changed(kind);
  };
  const undo = { label: t('action.undo'), run: () => void share(thing.visibility).catch(sayProblem) };
  await share(whom);
  // What is private to its owner again is out of reach for everyone else, also for the user who took it back.
  toasts.show(text, whom === 'MY' && !isMine(thing) ? {} : { action: undo });
}
