/** A skill as a text, line by line, so that two versions of it can be compared. */
import { t } from '../i18n/index.svelte';
import type { SkillContent } from './types';

/** What is as it usually is is not said. */
export function asText(content: SkillContent): string {
  const { name, description, automatic = true, instructions, parameters = [], tools = [], examples = [], files = [] } = content;
  return [
    pair(t('agents.name'), `/${name}`),
    pair(t('agents.description'), description),
    ...(automatic ? [] : [t('skills.byHand')]),
    ...section(t('agents.instructions'), [instructions]),
    ...section(t('skills.parameters'), parameters.map(({ name, description, required, default: value }) => {
      const facts = [description, required ? t('skills.required') : '', value ? pair(t('skills.default'), value) : ''];
      return pair(name, facts.filter(Boolean).join(' · '));
    })),
    ...section(t('agents.tools'), tools.toSorted()),
    ...section(t('skills.examples'), examples.map(({ request, answer }) => [request, answer].filter(Boolean).join('\n'))),
    ...files.flatMap(({ path, text }) => section(path, [text])),
  ].join('\n');
}

function pair(label: string, text: string): string {
  return t('compose.pair', { label, text });
}

function section(title: string, parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : ['', title, ...parts];
}
