import { t } from '../i18n/index.svelte';
import { MINILM, MULTILINGUAL, STATIC } from './embedders';

/** As people know it: what works on this machine has a name in their language. */
export function modelName({ model, label }: { model: string; label: string }): string {
  switch (model) {
    case MULTILINGUAL:
      return t('models.multilingual');
    case STATIC:
      return t('models.static');
    case MINILM:
      return t('models.minilm');
    default:
      return label;
  }
}
