/** What an agent is called: as it is called now, in the language of the page; else as it was called then. */
import type { AgentsHere } from '../../agents/agents.svelte';
import type { AgentSwitch } from '../../agents/types';
import { t, type Key } from '../../i18n/index.svelte';
import type { Speaker } from '../../run/reduce';

export function nameOf(id: string | null, then: string, here: AgentsHere): string {
  return here.find(id)?.name || then || t('agent.gone');
}

/** Who gave an answer; those of before there was a choice are the assistant's. */
export function speakerOf(speaker: Speaker | undefined, here: AgentsHere): { name: string; glyph: string | undefined } | undefined {
  if (!speaker) return undefined;
  const agent = speaker.id === null ? here.assistant : here.find(speaker.id);
  return { name: nameOf(agent?.id ?? speaker.id, speaker.name, here), glyph: agent?.glyph };
}

const KINDS: Record<AgentSwitch['kind'], Key> = { user: 'agent.tookOver', handoff: 'agent.handedOver', undo: 'agent.backTo' };

/** Who took over from whom. */
export function switchText({ kind, fromAgentId, fromName, toAgentId, toName }: AgentSwitch, here: AgentsHere): string {
  return t(KINDS[kind], { from: nameOf(fromAgentId, fromName, here), to: nameOf(toAgentId, toName, here) });
}
