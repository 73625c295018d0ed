import { describe, expect, it } from 'vitest';
import type { SwitchEvaluation } from '../src/lib/api/types';
import { byLanguage, byModel, isUnderWay, markerOf, rateOf } from '../src/lib/evaluations/rates';

const rate = (language: string, withReset: boolean, kept: number, answered = 6) => ({
  language,
  withReset,
  kept,
  answered,
  rate: answered ? kept / answered : null,
  low: 0,
  high: 1,
  missing: answered - kept,
  left: 0,
  failed: 0,
});

const made = (id: string, model: string, createdAt: string, more: Partial<SwitchEvaluation> = {}): SwitchEvaluation => ({
  id,
  model,
  createdAt,
  strategy: 'gpt-standard',
  languages: ['de', 'en'],
  repeats: 1,
  questions: 24,
  answered: 24,
  state: 'done',
  askedBy: null,
  askedByName: null,
  finishedAt: null,
  costCHF: '0',
  errorCode: null,
  error: null,
  rates: [rate('de', true, 6), rate('de', false, 1), rate('all', true, 6), rate('all', false, 1)],
  ...more,
});

describe('what is plotted', () => {
  it('is the newest of each model that is over, by name', () => {
    const pairs = byModel(
      [
        made('1', 'b/one', '2026-01-01'),
        made('2', 'a/two', '2026-01-01'),
        made('3', 'b/one', '2026-01-03', { state: 'stopped' }),
        made('4', 'b/one', '2026-01-02'),
        made('5', 'b/one', '2026-01-04', { state: 'running' }),
        made('6', 'b/one', '2026-01-05', { state: 'error', rates: [] }),
      ],
      'all',
    );
    expect(pairs.map(({ key }) => key)).toEqual(['2/all', '3/all']);
    expect(pairs[0]?.with?.kept).toBe(6);
    expect(pairs[0]?.without?.kept).toBe(1);
  });

  it('leaves out models that were not asked in the language', () => {
    expect(byModel([made('1', 'b/one', '2026-01-01')], 'pt')).toEqual([]);
  });

  it('has all languages together before each of them, and one alone by itself', () => {
    const names = (languages: string[]) => byLanguage(made('1', 'm', '2026', { languages }), (language) => language).map(({ name }) => name);
    expect(names(['de', 'en'])).toEqual(['all', 'de', 'en']);
    expect(names(['de'])).toEqual(['de']);
  });

  it('has no rate where nothing was answered', () => {
    expect(rateOf({ rates: [rate('de', true, 0, 0)] }, 'de', true)).toBeUndefined();
  });
});

it('tells what is under way', () => {
  expect((['queued', 'running', 'done', 'stopped', 'error'] as const).filter((state) => isUnderWay({ state }))).toEqual(['queued', 'running']);
});

it('reads markers as they are written', () => {
  expect(markerOf('begins: Note: this')).toEqual({ check: 'begins', value: 'Note: this' });
  expect(markerOf('bullets')).toEqual({ check: 'bullets', value: '' });
});
