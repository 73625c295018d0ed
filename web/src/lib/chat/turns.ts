/** Who said what, in order: each message of the user with the run that answers it. Pure. */
import type { Message, Run } from '../api/types';
import { textOf } from '../run/stored';

/** Something the user said, and the run that answers it. */
export interface Turn {
  messageId: string;
  prompt: string;
  runId: string | undefined;
}

/** A message may have been answered several times: the answer on the screen counts, else the newest. */
export function turnsOf(messages: readonly Message[], runs: readonly Run[]): Turn[] {
  const shown = new Set(messages.map(({ runId }) => runId));
  const answers = (id: string) => runs.filter(({ messageId }) => messageId === id);
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ id, parts }) => {
      const run = answers(id).findLast((one) => shown.has(one.id)) ?? answers(id).at(-1);
      return { messageId: id, prompt: textOf(parts), runId: run?.id };
    });
}
