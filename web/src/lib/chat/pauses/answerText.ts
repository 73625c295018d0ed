/** What was answered to a run, in a few words. */
import { t } from '../../i18n/index.svelte';
import type { Pause, PauseAnswer } from '../../run/events';

export function answerText(pause: Pause, answer: PauseAnswer | null): string {
  if (answer === null) return t('pause.dismissed');
  switch (answer.kind) {
    case 'confirmation':
      return answer.accepted ? t('pause.allowed') : t('pause.refused');
    case 'question':
      return answer.text;
    case 'choice':
      return (pause.kind === 'choice' && pause.options.find(({ id }) => id === answer.choiceId)?.label) || answer.choiceId;
    case 'proposal':
      if (!answer.accepted) return t('diff.rejected');
      return typeof answer.text === 'string' ? t('diff.acceptedPart') : t('diff.accepted');
  }
}
