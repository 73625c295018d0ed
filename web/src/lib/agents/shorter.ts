/** The agent for small models, where one would answer as the Assistant; undefined when there is nothing to offer. */
import type { Model } from '../api/types';
import type { AgentsHere } from './agents.svelte';
import type { Agent } from './types';

const SMALL = 'small-assistant';

export function shorterAgent(here: Pick<AgentsHere, 'all' | 'assistant'>, active: Agent | undefined, model: Pick<Model, 'small'> | undefined): Agent | undefined {
  if (!model?.small || !active || active !== here.assistant) return undefined;
  return here.all.find(({ builtin, slug }) => builtin && slug === SMALL);
}
