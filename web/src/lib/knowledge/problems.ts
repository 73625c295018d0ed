/** Why a file could not be read, and trying it once more. */
import { Problem } from '../api/problem';
import { t } from '../i18n/index.svelte';
import { live } from '../state/live.svelte';
import { explain, sayProblem } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import { indexAgain } from './server';
import type { IndexStatus } from './types';

/** In the user's language; what the server said exactly, where that says more. */
export function reasonOf({ problemCode, problem }: IndexStatus): { text: string; exact: string | undefined } {
  const text = explain(new Problem(problemCode ?? 'unexpected', problem ?? ''));
  return { text, exact: problem && problem !== text ? problem : undefined };
}

export async function tryAgain(fileId: string, name: string): Promise<void> {
  try {
    await indexAgain(fileId);
    toasts.show(t('knowledge.againToast', { name }));
  } catch (cause) {
    sayProblem(cause);
  } finally {
    live.changed('file');
  }
}
