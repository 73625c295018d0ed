/** An agent as a text, line by line, so that two versions of it can be compared. */
import { LANGUAGES, t } from '../i18n/index.svelte';
import { AGENT_LANGUAGES } from './draft';
import type { AgentContent } from './types';

/** `nameOf` says who an agent is. What is as everywhere is not said. */
export function asText(content: Partial<AgentContent>, nameOf: (agentId: string) => string): string {
  const { name, glyph, description, instructions, toolSets = [], toolNames = [], trustedTools = [], handsTo = [] } = content;
  const facts: [string, string | number | null | undefined][] = [
    [t('agents.name'), name],
    [t('agents.glyph'), glyph],
    [t('agents.description'), description],
    [t('agents.strategy'), content.strategy && t(`strategy.${content.strategy}`)],
    [t('agents.intents'), (content.intents ?? []).map(({ name }) => name).join(', ')],
    [t('agents.forcing'), content.forcing && t(`forcing.${content.forcing}`)],
    [t('agents.fileEdits'), content.fileEdits === 'continue' ? t('fileEdits.continue') : undefined],
    [t('agents.temperature'), content.temperature],
    [t('model.label'), content.model],
    [t('agents.work'), content.operation && t(`operation.${content.operation}`)],
    [t('workspace.maxRounds'), content.maxRounds],
    [t('workspace.maxCost'), content.maxCostCHF],
    [t('language.label'), content.language && LANGUAGES[content.language]],
  ];
  const said = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const texts = AGENT_LANGUAGES.filter((language) => instructions?.[language]).map((language) => ['', `${t('agents.instructions')} (${LANGUAGES[language]})`, instructions?.[language] ?? '']);
  return [
    ...said.map(([label, value]) => t('compose.pair', { label, text: String(value) })),
    ...listed(t('agents.toolSets'), toolSets),
    ...listed(t('agents.tools'), toolNames),
    ...listed(t('agents.trusted'), trustedTools),
    ...listed(t('agents.handsTo'), handsTo.map(nameOf)),
    ...texts.flat(),
  ].join('\n');
}

function listed(label: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [t('compose.label', { label }), ...items.toSorted().map((item) => `  ${item}`)];
}
