/** Where in a thread it is said that another agent took over. Pure. */
import type { AgentSwitch } from '../../agents/types';
import type { Message } from '../../api/types';

/** By the message of a turn, or by the run that handed over. */
export interface Lines {
  above: ReadonlyMap<string, readonly AgentSwitch[]>;
  under: ReadonlyMap<string, readonly AgentSwitch[]>;
  below: ReadonlyMap<string, readonly AgentSwitch[]>;
}

export const NO_LINES: Lines = { above: new Map(), under: new Map(), below: new Map() };

/** What an agent handed over stands below its answer, everything else below the turn in which it was chosen. What happened on
 * another branch stands above the first answer it had here; only the newest one is shown in any case. */
export function linesOf(history: readonly AgentSwitch[], messages: readonly Pick<Message, 'id' | 'role' | 'runId'>[]): Lines {
  const turns = turnsOf(messages);
  const lines = { above: new Map<string, AgentSwitch[]>(), under: new Map<string, AgentSwitch[]>(), below: new Map<string, AgentSwitch[]>() };
  const put = (where: keyof Lines, key: string, one: AgentSwitch) => lines[where].set(key, [...(lines[where].get(key) ?? []), one]);
  for (const one of history) {
    const made = turns.get(one.afterMessageId ?? '');
    const answered = turns.get(one.answeredBy ?? '');
    const last = messages.findLast(({ role }) => role === 'user')?.id;
    if (made?.runId && one.kind === 'handoff') put('under', made.runId, one);
    else if (made) put('below', made.turn, one);
    else if (answered) put('above', answered.turn, one);
    else if (one === history.at(-1) && last !== undefined) put('below', last, one);
  }
  return lines;
}

function turnsOf(messages: readonly Pick<Message, 'id' | 'role' | 'runId'>[]): Map<string, { turn: string; runId: string | null }> {
  let turn = '';
  return new Map(
    messages.map(({ id, role, runId }) => {
      if (role === 'user') turn = id;
      return [id, { turn, runId: role === 'user' ? null : runId }];
    }),
  );
}
