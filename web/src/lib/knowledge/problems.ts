/** Why a file could not be read, and trying it once more. */
import { Problem } from '../api/problem';
import { t, tn } from '../i18n/index.svelte';
import { live } from '../state/live.svelte';
import { explain, sayProblem } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import { indexAgain } from './server';

// The page's own words say everything: the server's would only say it once more.
const SAID_ALL: readonly string[] = ['documentEncrypted'];

/** In the user's language; what the server said exactly, where that says more. */
export function reasonOf(code: string, message: string | null): { text: string; exact: string | undefined } {
  const text = explain(new Problem(code, message ?? ''));
  return { text, exact: message && message !== text && !SAID_ALL.includes(code) ? message : undefined };
}

/** Each by itself: a file that cannot be indexed again, because that is under way already, does not keep the others from it. */
export async function tryAgain(files: readonly { id: string; name: string }[]): Promise<void> {
  const tried = await Promise.allSettled(files.map(({ id }) => indexAgain(id)));
  const refused = tried.find((one) => one.status === 'rejected');
  const begun = files.filter((_, index) => tried[index]?.status === 'fulfilled');
  if (begun.length > 0) toasts.show(begun.length === 1 ? t('knowledge.againToast', { name: begun[0]!.name }) : tn('knowledge.againMany', begun.length));
  if (refused) sayProblem(refused.reason);
  live.changed('file');
}
