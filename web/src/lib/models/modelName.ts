import { t } from '../i18n/index.svelte';
import { MINILM } from './embedders';

/** As people know it: what works on this machine has a name in their language. */
export const modelName = ({ model, label }: { model: string; label: string }): string => (model === MINILM ? t('models.minilm') : label);
