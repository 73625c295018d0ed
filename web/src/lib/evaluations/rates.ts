/** What is plotted of evaluations: pairs of rates, with the reset and without, under a name. Pure. */
import type { SwitchEvaluation, SwitchRate } from '../api/types';

export const ALL = 'all';
export const LANGUAGES = ['de', 'en', 'pt'] as const;
export const STATES = ['queued', 'running', 'done', 'stopped', 'error'] as const;
export const CHECKS = ['begins', 'ends', 'says', 'signs', 'bullets', 'numbered', 'prose', 'table', 'quoted', 'json', 'brief', 'asks', 'capitals', 'emoji', 'rhymes'] as const;

/** Without a rate where nothing was answered. */
export interface Pair {
  key: string;
  name: string;
  with: SwitchRate | undefined;
  without: SwitchRate | undefined;
}

export const isUnderWay = ({ state }: Pick<SwitchEvaluation, 'state'>) => state === 'queued' || state === 'running';

export function rateOf(evaluation: Pick<SwitchEvaluation, 'rates'>, language: string, withReset: boolean): SwitchRate | undefined {
  return evaluation.rates.find((rate) => rate.language === language && rate.withReset === withReset && rate.answered > 0);
}

/** The newest of each model that is over, as far as it says something of this language; by name. */
export function byModel(evaluations: readonly SwitchEvaluation[], language: string): Pair[] {
  const newest = new Map<string, SwitchEvaluation>();
  for (const one of evaluations) {
    const known = newest.get(one.model);
    const says = rateOf(one, language, true) ?? rateOf(one, language, false);
    if (!isUnderWay(one) && says && (!known || known.createdAt < one.createdAt)) newest.set(one.model, one);
  }
  return [...newest.values()].map((one) => pair(one, language, one.model)).sort((a, b) => a.name.localeCompare(b.name));
}

/** Every language of one evaluation; with several, all of them together first. */
export function byLanguage(evaluation: SwitchEvaluation, nameOf: (language: string) => string): Pair[] {
  const languages = evaluation.languages.length > 1 ? [ALL, ...evaluation.languages] : evaluation.languages;
  return languages.map((language) => pair(evaluation, language, nameOf(language)));
}

/** What a check looked for: `begins: Ahoy` is the check and its value. */
export function markerOf(written: string): { check: string; value: string } {
  const [check = '', ...value] = written.split(': ');
  return { check, value: value.join(': ') };
}

function pair(evaluation: SwitchEvaluation, language: string, name: string): Pair {
  return {
    key: `${evaluation.id}/${language}`,
    name,
    with: rateOf(evaluation, language, true),
    without: rateOf(evaluation, language, false),
  };
}
