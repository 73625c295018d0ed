/** What a run looks like, made of what it said. Pure: the same events give the same picture, live or read from the log. */
import { isOver, type Pause, type PauseAnswer, type PauseState, type RunEvent, type RunState, type Spoken, type Told, type ToolResult } from './events';

export interface TextItem {
  kind: 'text';
  id: string;
  attempt: number;
  text: string;
  /** In characters as the server counts them (code points). */
  length: number;
  done: boolean;
}

export interface CallItem {
  kind: 'call';
  id: string;
  tool: string;
  arguments: Record<string, unknown>;
  result: ToolResult | null;
  durationMs: number | null;
}

/** Something a person is asked, or was asked: it belongs to a call, and stays where it was asked. */
export interface PauseItem {
  kind: 'pause';
  id: string;
  callId: string;
  tool: string;
  state: PauseState;
  pause: Pause;
  answer: PauseAnswer | null;
}

/** A file that a call has made, or a new version of one. */
export interface FileItem {
  kind: 'file';
  id: string;
  fileId: string;
  name: string;
  version: number;
}

/** What is going to be done, step by step, and what became of it. */
export interface PlanItem {
  kind: 'plan';
  id: string;
  steps: readonly StepView[];
}

/** A step without a `status` is still to be done. */
export interface StepView {
  intent: string;
  status: Told<'planStep'>['status'] | null;
  message: string;
}

export type Item = TextItem | CallItem | PauseItem | FileItem | PlanItem;

/** Something the page was told to do, and when; its message is known once that is complete. */
export interface Order {
  seq: number;
  messageId: string | null;
  action: Told<'action'>['action'];
}

/** A message, and what the page was told to do with it. */
export interface Ordering {
  messageId: string | null;
  actions: readonly Order['action'][];
}

/** Whose words they are. */
export interface Speaker {
  id: string | null;
  name: string;
}

export type Summary = Omit<Told<'agentSummary'>, 'type' | 'state'>;

export interface Picture {
  runId: string;
  state: RunState;
  /** The last event that is in the picture, and the last one that was heard of. */
  seq: number;
  heard: number;
  round: number;
  maxRounds: number;
  items: readonly Item[];
  orders: readonly Order[];
  /** Those that are complete, oldest first. */
  messages: readonly string[];
  summary: Summary | null;
  /** In the queue of the organisation, from 1, while it waits for a slot. */
  place: number | null;
  /** The agent and the run that go on with the question. */
  handedTo: { runId: string; agent: Speaker } | null;
  error: { code: string; message: string } | null;
}

export function blank(runId: string): Picture {
  return { runId, state: 'queued', seq: 0, heard: 0, round: 0, maxRounds: 0, items: [], orders: [], messages: [], summary: null, place: null, handedTo: null, error: null };
}

/** Something was missed: the log has it. */
export function isBehind(picture: Picture): boolean {
  return picture.heard > picture.seq;
}

/** Add one event. What is known already changes nothing; what comes too early is only noted, see `isBehind`. */
export function reduce(picture: Picture, { runId, seq, attempt, event }: Spoken): Picture {
  if (runId !== picture.runId || seq <= picture.seq) return picture;
  const heard = Math.max(picture.heard, seq);
  // Pieces of an old answer are kept merged: such a one counts from its first.
  const first = (event.type === 'chunk' && event.since) || seq;
  if (first > picture.seq + 1) return heard === picture.heard ? picture : { ...picture, heard };
  const items = withoutAbandoned(picture.items, attempt);
  return apply({ ...picture, seq, heard, items }, event);
}

/** A new attempt begins its text anew: what an earlier one had streamed and not finished was never said. */
function withoutAbandoned(items: readonly Item[], attempt: number): readonly Item[] {
  const isAbandoned = (item: Item) => item.kind === 'text' && !item.done && item.attempt < attempt;
  return items.some(isAbandoned) ? items.filter((item) => !isAbandoned(item)) : items;
}

function apply(picture: Picture, event: RunEvent): Picture {
  switch (event.type) {
    case 'status':
      return { ...picture, state: event.state, place: event.place ?? null };
    case 'agentProgress':
      return { ...picture, state: 'running', round: event.round, maxRounds: event.maxRounds };
    case 'chunk':
      return { ...picture, items: streamed(picture.items, event) };
    case 'message':
      return { ...picture, items: finished(picture.items, event), ...completed(picture, event) };
    case 'toolCall':
      return { ...picture, items: asked(picture.items, event) };
    case 'toolResult':
      return { ...picture, items: answered(picture.items, event) };
    case 'action':
      return { ...picture, orders: [...picture.orders, { seq: picture.seq, messageId: null, action: event.action }] };
    case 'fileCreated':
      return { ...picture, items: made(picture.items, event) };
    case 'plan':
      return { ...picture, items: planned(picture.items, event) };
    case 'planStep':
      return { ...picture, items: stepped(picture.items, event) };
    case 'choice':
      return { ...picture, items: paused(picture.items, event) };
    case 'agentSummary': {
      const { type: _, state, ...summary } = event;
      return { ...picture, state, summary, place: null };
    }
    case 'agentSwitched':
      return event.nextRunId ? { ...picture, handedTo: { runId: event.nextRunId, agent: { id: event.toAgentId, name: event.toName } } } : picture;
    case 'complete':
      return { ...picture, state: event.state };
    case 'stopped':
      return { ...picture, state: 'stopped' };
    case 'error':
      return { ...picture, state: 'error', error: { code: event.code, message: event.message } };
    default:
      return picture; // a newer server says more than this page understands
  }
}

function streamed(items: readonly Item[], event: Told<'chunk'>): readonly Item[] {
  const before = items.find((item) => item.kind === 'text' && item.id === event.messageId) as TextItem | undefined;
  if (before?.done) return items;
  const fits = before !== undefined && before.attempt === event.attempt;
  const kept = !fits ? '' : event.offset >= before.length ? before.text : [...before.text].slice(0, event.offset).join('');
  const length = (fits ? Math.min(before.length, event.offset) : 0) + [...event.text].length;
  const item: TextItem = { kind: 'text', id: event.messageId, attempt: event.attempt, text: kept + event.text, length, done: false };
  return put(items, item);
}

function finished(items: readonly Item[], event: Told<'message'>): readonly Item[] {
  if (event.role !== 'assistant') return items;
  if (event.text === '') return items.filter((item) => item.id !== event.messageId); // it only asked for tools
  return put(items, { kind: 'text', id: event.messageId, attempt: 0, text: event.text, length: 0, done: true });
}

/** What was ordered since the message before belongs to it. */
function completed({ messages, orders }: Picture, { messageId, role }: Told<'message'>): Pick<Picture, 'messages' | 'orders'> {
  if (role !== 'assistant' || messages.includes(messageId)) return { messages, orders };
  return { messages: [...messages, messageId], orders: orders.map((order) => (order.messageId === null ? { ...order, messageId } : order)) };
}

function asked(items: readonly Item[], event: Told<'toolCall'>): readonly Item[] {
  // After a crash the same call is told again.
  if (items.some((item) => item.id === event.callId)) return items;
  return [...items, { kind: 'call', id: event.callId, tool: event.tool, arguments: event.arguments, result: null, durationMs: null }];
}

function answered(items: readonly Item[], event: Told<'toolResult'>): readonly Item[] {
  const before = items.find((item) => item.kind === 'call' && item.id === event.callId) as CallItem | undefined;
  const call: CallItem = before ?? { kind: 'call', id: event.callId, tool: event.tool, arguments: {}, result: null, durationMs: null };
  return put(items, { ...call, result: event.result, durationMs: event.durationMs });
}

/** Below its call, which may have made several. */
function made(items: readonly Item[], { callId, fileId, name, version }: Told<'fileCreated'>): readonly Item[] {
  const item: FileItem = { kind: 'file', id: `${callId}/${fileId}`, fileId, name, version };
  const last = items.findLastIndex(({ id }) => id.startsWith(callId));
  return last < 0 || items.some(({ id }) => id === item.id) ? put(items, item) : items.toSpliced(last + 1, 0, item);
}

/** After a crash the same plan is told again: what is done of it stays done. */
export function planned(items: readonly Item[], { messageId, plan }: Pick<Told<'plan'>, 'messageId' | 'plan'>): readonly Item[] {
  const id = `${messageId}/plan`;
  if (items.some((item) => item.id === id)) return items;
  return [...items, { kind: 'plan', id, steps: plan.steps.map(({ intent }) => ({ intent, status: null, message: '' })) }];
}

/** The newest word about a step of the newest plan counts. */
export function stepped(items: readonly Item[], { index, intent, status, message }: Omit<Told<'planStep'>, 'type'>): readonly Item[] {
  const plan = items.findLast((item): item is PlanItem => item.kind === 'plan');
  if (!plan || index >= plan.steps.length) return items;
  return put(items, { ...plan, steps: plan.steps.with(index, { intent, status, message }) });
}

/** Right after its call, however much has been said since; the newest word about it counts. */
function paused(items: readonly Item[], { callId, tool, state, pause, answer }: Told<'choice'>): readonly Item[] {
  const item: PauseItem = { kind: 'pause', id: `${callId}?`, callId, tool, state, pause, answer };
  const call = items.findIndex(({ id }) => id === callId);
  if (call < 0 || items.some(({ id }) => id === item.id)) return put(items, item);
  return items.toSpliced(call + 1, 0, item);
}

/** What the page was told to do, message by message; last, without an id, what belongs to one that is not complete yet. */
export function byMessage({ messages, orders }: Pick<Picture, 'messages' | 'orders'>): Ordering[] {
  return [...messages, null].map((messageId) => ({ messageId, actions: orders.filter((order) => order.messageId === messageId).map(({ action }) => action) }));
}

/** The question that keeps the run waiting. */
export function openPause({ items, state }: Picture): PauseItem | undefined {
  if (isOver(state)) return undefined;
  return items.findLast((item): item is PauseItem => item.kind === 'pause' && item.state === 'waiting');
}

/** In the place of the item with the same id, else at the end. */
function put(items: readonly Item[], item: Item): readonly Item[] {
  const at = items.findIndex(({ id }) => id === item.id);
  return at < 0 ? [...items, item] : items.with(at, item);
}
