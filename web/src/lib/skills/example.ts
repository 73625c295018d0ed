/** A skill to begin with, in the language of the page. */
import { t } from '../i18n/index.svelte';
import { blankParameter, draftOf, type Draft } from './draft';
import { placeholderOf } from './placeholders';

export function exampleSkill(): Draft {
  const parameter = t('skills.exampleParameter');
  return {
    ...draftOf(null),
    name: t('skills.exampleName'),
    description: t('skills.exampleDescription'),
    instructions: t('skills.exampleInstructions', { notes: placeholderOf(parameter) }),
    parameters: [{ ...blankParameter(parameter), description: t('skills.exampleParameterText'), required: true }],
  };
}
