/** Forgetting, which cannot be undone: each asks first. */
import { t } from '../i18n/index.svelte';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { toasts } from '../state/toasts.svelte';
import { forgetAll, forgetEntity, forgetSummary, type Place } from './server';
import type { Entity, Summary } from './types';

export function askToForget(place: Place, { id, value }: Entity): void {
  ask(t('memory.forgetTitle', { name: value }), t('memory.forgetText'), () => forgetEntity(place, id));
}

export function askToForgetSummary(place: Place, summary: Summary): void {
  ask(t('memory.forgetTitle', { name: roundsText(summary) }), t('memory.forgetSummaryText'), () => forgetSummary(place, summary.messageId));
}

export function askToForgetAll(place: Place): void {
  ask(t('memory.forgetAllTitle'), t('memory.forgetAllText'), () => forgetAll(place));
}

export function roundsText({ first, last }: Pick<Summary, 'first' | 'last'>): string {
  return first === last ? t('memory.round', { round: first }) : t('memory.rounds', { first, last });
}

function ask(title: string, text: string, forget: () => Promise<unknown>): void {
  dialogs.confirm({
    title,
    text,
    action: t('memory.forget'),
    run: async () => {
      try {
        await forget();
        toasts.show(t('memory.forgotten'));
      } finally {
        live.changed('memory');
      }
    },
  });
}
