/** Scores in words. */
import { formatNumber, t } from '../../i18n/index.svelte';
import type { Evaluation } from '../types';

export type Result = Pick<Evaluation['results'][number], 'dimension' | 'score' | 'reason' | 'suggestions'>;

export const scoreText = (score: number): string => formatNumber(Math.round(score * 10) / 10);

/** A sentence with all of them. */
export function described(results: readonly Result[], average: number): string {
  const scores = results.map(({ dimension, score }) => t('compose.pair', { label: dimension, text: scoreText(score) })).join('; ');
  return t('judgement.chart', { average: scoreText(average), scores });
}

/** The scores of another judgement in the same respects. */
export function scoresLike(results: readonly Result[], other: readonly Result[]): (number | undefined)[] {
  return results.map(({ dimension }) => other.find((one) => one.dimension === dimension)?.score);
}
