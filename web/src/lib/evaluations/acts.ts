/** What is done to evaluations, each after a question. */
import { api, take } from '../api/client';
import type { SwitchEvaluation } from '../api/types';
import { t } from '../i18n/index.svelte';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { toasts } from '../state/toasts.svelte';

type Which = Pick<SwitchEvaluation, 'id' | 'model'>;

export function askToStop({ id, model }: Which): void {
  dialogs.confirm({
    title: t('evaluation.stopTitle', { model }),
    text: t('evaluation.stopText'),
    action: t('evaluation.stop'),
    run: async () => {
      await take(api.POST('/api/switch-evaluations/{evaluationId}/stop', { params: { path: { evaluationId: id } } }));
      live.changed('evaluation');
      toasts.show(t('evaluation.stoppedToast', { model }));
    },
  });
}

export function askToDelete({ id, model }: Which, then: () => void = () => {}): void {
  dialogs.confirm({
    title: t('evaluation.deleteTitle', { model }),
    text: t('evaluation.deleteText'),
    action: t('evaluation.delete'),
    run: async () => {
      await take(api.DELETE('/api/switch-evaluations/{evaluationId}', { params: { path: { evaluationId: id } } }));
      live.changed('evaluation');
      toasts.show(t('evaluation.deletedToast', { model }));
      then();
    },
  });
}
