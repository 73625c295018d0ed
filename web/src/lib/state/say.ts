/** Problems in the user's language. */
import { Problem } from '../api/problem';
import { formatWait, t, tMaybe } from '../i18n/index.svelte';
import { toasts } from './toasts.svelte';

/** What happened and what to do: by the code, else in the server's own words. */
export function explain(problem: Problem, field = problem.field): string {
  const { retryAfter } = problem.details;
  const seconds = typeof retryAfter === 'number' ? Math.max(1, Math.ceil(retryAfter)) : 60;
  const rule = problem.code === 'invalidInput' && field ? tMaybe(`invalid.${field}`) : undefined;
  const text = rule ?? tMaybe(`error.${problem.code}`, { wait: formatWait(seconds) });
  return text ?? (problem.message || t('error.unexpected'));
}

export function sayProblem(cause: unknown): void {
  toasts.show(explain(Problem.of(cause)), { tone: 'danger' });
}
