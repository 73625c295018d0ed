/** The picture of a run from what is stored of it, for the moment before its log is read, or when nobody needs the log. */
import type { Message, Run } from '../api/types';
import { isOver } from './events';
import { blank, planned, stepped, type Item, type Order, type Picture, type Summary } from './reduce';

export function storedPicture(run: Run, messages: readonly Message[]): Picture {
  const own = messages.filter(({ runId, role }) => runId === run.id && role === 'assistant');
  const items = own.reduce<readonly Item[]>(withMessage, []);
  return {
    ...blank(run.id),
    state: run.state,
    place: run.place,
    round: run.rounds,
    items,
    orders: own.flatMap(ordersOf),
    messages: own.map(({ id }) => id),
    // Only a run that began has something to count.
    summary: isOver(run.state) && run.startedAt ? summaryOf(run) : null,
    error: run.error === null ? null : { code: run.errorCode ?? '', message: run.error },
  };
}

/** Whether the log tells more than the messages: a run that goes on, calls of tools, an answer we were not given. */
export function needsLog(run: Run, picture: Picture): boolean {
  const isSilent = picture.items.length === 0 && run.error === null && run.startedAt !== null;
  const hasCalls = run.toolCalls > 0 || picture.items.some(({ kind }) => kind === 'call');
  return !isOver(run.state) || hasCalls || isSilent;
}

function summaryOf(run: Run): Summary {
  const { rounds, toolCalls, inputTokens, outputTokens, costCHF, costAssumed, model, ending } = run;
  const durationMs = run.endedAt ? Date.parse(run.endedAt) - Date.parse(run.startedAt ?? run.createdAt) : 0;
  return { rounds, toolCalls, inputTokens, outputTokens, costCHF, costAssumed, model, reason: ending ?? '', durationMs };
}

/** A plan comes before what was called for it, and that before what was said of it; other calls follow what was said. */
function withMessage(items: readonly Item[], { id, parts }: Message): readonly Item[] {
  const text = textOf(parts);
  const said: Item[] = text === '' ? [] : [{ kind: 'text', id, attempt: 0, text, length: 0, done: true }];
  const plan = parts.find((part) => part.type === 'plan');
  const calls = parts
    .filter((part) => part.type === 'toolCall')
    .map((part): Item => ({ kind: 'call', id: part.callId, tool: part.tool, arguments: part.arguments, result: null, durationMs: null }));
  const all = plan ? [...planned(items, { messageId: id, plan: plan.plan }), ...calls, ...said] : [...items, ...said, ...calls];
  return parts.filter((part) => part.type === 'step').reduce<readonly Item[]>((so, { step }) => stepped(so, step), all);
}

/** What the page was told to do, as far as messages keep it. */
function ordersOf({ id, parts }: Message): Order[] {
  return parts.flatMap((part) => (part.type === 'step' ? (part.step.actions ?? []) : [])).map((action) => ({ seq: 0, messageId: id, action }));
}

export function textOf(parts: Message['parts']): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
