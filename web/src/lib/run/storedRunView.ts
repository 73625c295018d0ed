/** The view of a run from what is stored of it: used until its log is read, and where the log is not needed. */
import type { Message, Run } from '../api/types';
import { isOver } from './events';
import { blank, planned, stepped, thoughtOf, type Item, type RequestedAction, type RunView, type Summary } from './reduce';

export function runViewFromStored(run: Run, messages: readonly Message[]): RunView {
  const own = messages.filter(({ runId, role }) => runId === run.id && role === 'assistant');
  const items = own.reduce<readonly Item[]>(withMessage, []);
  return {
    ...blank(run.id),
    state: run.state,
    doing: { activity: run.startedAt === null ? 'queued' : 'model', details: {} },
    place: run.place,
    round: run.rounds,
    items,
    actions: own.flatMap(actionsOf),
    messages: own.map(({ id }) => id),
    // Only a run that began has something to count.
    summary: isOver(run.state) && run.startedAt ? summaryOf(run) : null,
    error: run.error === null ? null : { code: run.errorCode ?? '', message: run.error, details: run.errorDetails },
  };
}

/** Whether the log has more than the messages: a run that goes on, tool calls, an answer that did not come with them. */
export function needsLog(run: Run, view: RunView): boolean {
  const isSilent = view.items.length === 0 && run.error === null && run.startedAt !== null;
  const hasCalls = run.toolCalls > 0 || view.items.some(({ kind }) => kind === 'call');
  return !isOver(run.state) || hasCalls || isSilent;
}

function summaryOf(run: Run): Summary {
  const { rounds, toolCalls, inputTokens, outputTokens, costCHF, costAssumed, model, ending } = run;
  const durationMs = run.endedAt ? Date.parse(run.endedAt) - Date.parse(run.startedAt ?? run.createdAt) : 0;
  return { rounds, toolCalls, inputTokens, outputTokens, costCHF, costAssumed, model, reason: ending ?? '', durationMs };
}

/** A plan comes before its calls, and those before the text about them; other calls follow the text. */
function withMessage(items: readonly Item[], { id, parts }: Message): readonly Item[] {
  const text = textOf(parts);
  const thought = parts.map((part) => (part.type === 'thought' ? part.text : '')).join('');
  const answer: Item[] = [
    ...(thought === '' ? [] : [{ kind: 'thought' as const, id: thoughtOf(id), attempt: 0, text: thought, length: 0, done: true }]),
    ...(text === '' ? [] : [{ kind: 'text' as const, id, attempt: 0, text, length: 0, done: true }]),
  ];
  const plan = parts.find((part) => part.type === 'plan');
  const calls = parts
    .filter((part) => part.type === 'toolCall')
    .map((part): Item => ({ kind: 'call', id: part.callId, tool: part.tool, arguments: part.arguments, result: null, durationMs: null }));
  const all = plan ? [...planned(items, { messageId: id, plan: plan.plan }), ...calls, ...answer] : [...items, ...answer, ...calls];
  return parts.filter((part) => part.type === 'step').reduce<readonly Item[]>((so, { step }) => stepped(so, step), all);
}

/** The requested actions, as far as messages keep them. */
function actionsOf({ id, parts }: Message): RequestedAction[] {
  return parts.flatMap((part) => (part.type === 'step' ? (part.step.actions ?? []) : [])).map((action) => ({ seq: 0, messageId: id, action }));
}

export function textOf(parts: Message['parts']): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
