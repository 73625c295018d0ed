/** Problems in the user's language. Their texts are fetched when the first one needs them; until then the server's words stand. */
import { Problem } from '../api/problem';
import { formatWait, i18n, t, tMaybe } from '../i18n/index.svelte';
import { toasts } from './toasts.svelte';

/** What happened and what to do: by the code, else in the server's own words. */
export function explain(problem: Problem, field = problem.field): string {
  const { retryAfter } = problem.details;
  const seconds = typeof retryAfter === 'number' ? Math.max(1, Math.ceil(retryAfter)) : 60;
  const rule = problem.code === 'invalidInput' && field ? tMaybe(`invalid.${field}`) : undefined;
  const details = Object.entries(problem.details).map(([name, value]) => [name, Array.isArray(value) ? problem.list(name) : value]);
  const facts = { ...(Object.fromEntries(details) as Record<string, string>), wait: formatWait(seconds) };
  const text = rule ?? tMaybe(`error.${problem.code}`, facts);
  // Without the names of the provider and the model the advice about them makes no sentence.
  if (text !== undefined) return /\{\w+\}/.test(text) ? (tMaybe(`error.${'modelFailed'}`) ?? text) : text;
  void i18n.all().catch(() => {});
  return problem.code === 'network' ? t('error.network') : problem.message || t('error.unexpected');
}

export function sayProblem(cause: unknown): void {
  const say = () => void toasts.show(explain(Problem.of(cause)), { tone: 'danger' });
  void i18n.all().then(say, say);
}
