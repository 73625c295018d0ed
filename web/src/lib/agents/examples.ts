/** What an agent that plans might be asked, in the language of the page. Pure. */
import type { Language } from '../api/types';
import type { Agent } from './types';

const MOST = 4;

export function examplesOf(agent: Pick<Agent, 'intents' | 'strategy'> | undefined, language: Language): string[] {
  if (agent?.strategy !== 'plan') return [];
  const said = (agent.intents ?? []).map(({ examples = {} }) => examples[language] ?? examples.en);
  return said.filter((example) => example !== undefined).slice(0, MOST);
}
