/** The view of a run, reduced from its events. Pure: the same events give the same view, live or read from the log. */
import { isOver, type EventOf, type NumberedEvent, type Pause, type PauseAnswer, type PauseState, type RunEvent, type RunState, type ToolResult, type UiAction } from './events';

export interface TextItem {
  kind: 'text';
  id: string;
  attempt: number;
  text: string;
  /** In characters as the server counts them (code points). */
  length: number;
  done: boolean;
}

/** What the model thought before it answered, as far as it says. */
export interface ThoughtItem {
  kind: 'thought';
  id: string;
  attempt: number;
  text: string;
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
  status: EventOf<'planStep'>['status'] | null;
  message: string;
}

export type Item = TextItem | ThoughtItem | CallItem | PauseItem | FileItem | PlanItem;

/** Something the run asked the page to do, and when; its message is known once that is complete. */
export interface RequestedAction {
  seq: number;
  messageId: string | null;
  action: UiAction;
}

/** A message, and the actions that were requested with it. */
export interface MessageActions {
  messageId: string | null;
  actions: readonly UiAction[];
}

/** Whose words they are. */
export interface Speaker {
  id: string | null;
  name: string;
}

/** What a run does at the moment, or waits for. */
export type Activity = 'queued' | 'reading' | 'model' | 'thinking' | 'writing' | 'tools' | 'retry' | 'otherModel' | 'modelReading' | 'budget';

export interface Doing {
  activity: Activity;
  details: Record<string, string>;
}

export type Summary = Omit<EventOf<'agentSummary'>, 'type' | 'state'>;

export interface RunView {
  runId: string;
  state: RunState;
  /** The last event that is in the view, and the last one that was received. */
  seq: number;
  lastSeenSeq: number;
  round: number;
  maxRounds: number;
  doing: Doing;
  items: readonly Item[];
  actions: readonly RequestedAction[];
  /** Those that are complete, oldest first. */
  messages: readonly string[];
  summary: Summary | null;
  /** In the queue of the organisation, from 1, while it waits for a slot. */
  place: number | null;
  /** The agent and the run that go on with the question. */
  handedTo: { runId: string; agent: Speaker } | null;
  error: { code: string; message: string; details: Record<string, string> } | null;
}

export function blank(runId: string): RunView {
  return { runId, state: 'queued', seq: 0, lastSeenSeq: 0, round: 0, maxRounds: 0, doing: does('queued'), items: [], actions: [], messages: [], summary: null, place: null, handedTo: null, error: null };
}

function does(activity: Activity, details: Record<string, string> = {}): Doing {
  return { activity, details };
}

/** A status says what is waited for, or that work begins: before the first round that is reading what belongs to the question. */
function waits({ round, doing }: RunView, { state, activity, details }: EventOf<'status'>): Doing {
  if (activity) return does(activity, details);
  return state === 'running' && round === 0 ? does('reading') : doing;
}

/** Whether events were missed: the log has them. */
export function isBehind(view: RunView): boolean {
  return view.lastSeenSeq > view.seq;
}

/** Add one event. What is known already changes nothing; what comes too early is only noted, see `isBehind`. */
export function reduce(view: RunView, { runId, seq, attempt, event }: NumberedEvent): RunView {
  if (runId !== view.runId || seq <= view.seq) return view;
  const lastSeenSeq = Math.max(view.lastSeenSeq, seq);
  // Pieces of an old answer are kept merged: such a one counts from its first.
  const first = ((event.type === 'chunk' || event.type === 'thought') && event.since) || seq;
  if (first > view.seq + 1) return lastSeenSeq === view.lastSeenSeq ? view : { ...view, lastSeenSeq };
  const items = withoutAbandoned(view.items, attempt);
  return apply({ ...view, seq, lastSeenSeq, items }, event);
}

/** A new attempt begins its text anew: what an earlier one had streamed and not finished is dropped. */
function withoutAbandoned(items: readonly Item[], attempt: number): readonly Item[] {
  const isAbandoned = (item: Item) => (item.kind === 'text' || item.kind === 'thought') && !item.done && item.attempt < attempt;
  return items.some(isAbandoned) ? items.filter((item) => !isAbandoned(item)) : items;
}

function apply(view: RunView, event: RunEvent): RunView {
  switch (event.type) {
    case 'status':
      return { ...view, state: event.state, place: event.place ?? null, doing: waits(view, event) };
    case 'agentProgress':
      return { ...view, state: 'running', round: event.round, maxRounds: event.maxRounds, doing: does('model') };
    case 'chunk':
      return { ...view, doing: does('writing'), items: streamed(view.items, event, 'text', event.messageId) };
    case 'thought':
      return { ...view, doing: does('thinking'), items: event.text === '' ? view.items : streamed(view.items, event, 'thought', thoughtOf(event.messageId)) };
    case 'message':
      return { ...view, items: finished(view.items, event), ...completed(view, event) };
    case 'toolCall':
      return { ...view, doing: does('tools'), items: asked(view.items, event) };
    case 'toolResult':
      return { ...view, items: answered(view.items, event) };
    case 'action':
      return { ...view, actions: [...view.actions, { seq: view.seq, messageId: null, action: event.action }] };
    case 'fileCreated':
    case 'fileVersion':
      return { ...view, items: made(view.items, event) };
    case 'plan':
      return { ...view, items: planned(view.items, event) };
    case 'planStep':
      return { ...view, items: stepped(view.items, event) };
    case 'choice':
      return { ...view, items: paused(view.items, event) };
    case 'agentSummary': {
      const { type: _, state, ...summary } = event;
      return { ...view, state, summary, place: null };
    }
    case 'agentSwitched':
      return event.nextRunId ? { ...view, handedTo: { runId: event.nextRunId, agent: { id: event.toAgentId, name: event.toName } } } : view;
    case 'complete':
      return { ...view, state: event.state };
    case 'stopped':
      return { ...view, state: 'stopped' };
    case 'error':
      return { ...view, state: 'error', error: { code: event.code, message: event.message, details: event.details ?? {} } };
    default:
      return view; // a newer server sends more than this page understands
  }
}

function streamed(items: readonly Item[], event: EventOf<'chunk'> | EventOf<'thought'>, kind: 'text' | 'thought', id: string): readonly Item[] {
  const before = items.find((item) => item.kind === kind && item.id === id) as TextItem | ThoughtItem | undefined;
  if (before?.done) return items;
  const fits = before !== undefined && before.attempt === event.attempt;
  const kept = !fits ? '' : event.offset >= before.length ? before.text : [...before.text].slice(0, event.offset).join('');
  const length = (fits ? Math.min(before.length, event.offset) : 0) + [...event.text].length;
  return put(items, { kind, id, attempt: event.attempt, text: kept + event.text, length, done: false });
}

/** The item of what was thought for a message. */
export function thoughtOf(messageId: string): string {
  return `${messageId}/thought`;
}

function finished(before: readonly Item[], event: EventOf<'message'>): readonly Item[] {
  if (event.role !== 'assistant') return before;
  const items = before.map((item) => (item.kind === 'thought' && item.id === thoughtOf(event.messageId) ? { ...item, done: true } : item));
  if (event.text === '') return items.filter((item) => item.id !== event.messageId); // it only asked for tools
  return put(items, { kind: 'text', id: event.messageId, attempt: 0, text: event.text, length: 0, done: true });
}

/** The actions requested since the message before belong to it. */
function completed({ messages, actions }: RunView, { messageId, role }: EventOf<'message'>): Pick<RunView, 'messages' | 'actions'> {
  if (role !== 'assistant' || messages.includes(messageId)) return { messages, actions };
  return { messages: [...messages, messageId], actions: actions.map((requested) => (requested.messageId === null ? { ...requested, messageId } : requested)) };
}

function asked(items: readonly Item[], event: EventOf<'toolCall'>): readonly Item[] {
  // After a crash the same call is sent again.
  if (items.some((item) => item.id === event.callId)) return items;
  return [...items, { kind: 'call', id: event.callId, tool: event.tool, arguments: event.arguments, result: null, durationMs: null }];
}

function answered(items: readonly Item[], event: EventOf<'toolResult'>): readonly Item[] {
  const before = items.find((item) => item.kind === 'call' && item.id === event.callId) as CallItem | undefined;
  const call: CallItem = before ?? { kind: 'call', id: event.callId, tool: event.tool, arguments: {}, result: null, durationMs: null };
  return put(items, { ...call, result: event.result, durationMs: event.durationMs });
}

/** Below its call, which may have made several. */
function made(items: readonly Item[], { callId, fileId, name, version }: EventOf<'fileCreated'> | EventOf<'fileVersion'>): readonly Item[] {
  const item: FileItem = { kind: 'file', id: `${callId}/${fileId}`, fileId, name, version };
  const last = items.findLastIndex(({ id }) => id.startsWith(callId));
  return last < 0 || items.some(({ id }) => id === item.id) ? put(items, item) : items.toSpliced(last + 1, 0, item);
}

/** After a crash the same plan is sent again: what is done of it stays done. */
export function planned(items: readonly Item[], { messageId, plan }: Pick<EventOf<'plan'>, 'messageId' | 'plan'>): readonly Item[] {
  const id = `${messageId}/plan`;
  if (items.some((item) => item.id === id)) return items;
  return [...items, { kind: 'plan', id, steps: plan.steps.map(({ intent }) => ({ intent, status: null, message: '' })) }];
}

/** The newest event about a step of the newest plan counts. */
export function stepped(items: readonly Item[], { index, intent, status, message }: Omit<EventOf<'planStep'>, 'type'>): readonly Item[] {
  const plan = items.findLast((item): item is PlanItem => item.kind === 'plan');
  if (!plan || index >= plan.steps.length) return items;
  return put(items, { ...plan, steps: plan.steps.with(index, { intent, status, message }) });
}

/** Right after its call, whatever has followed since; the newest event about it counts. */
function paused(items: readonly Item[], { callId, tool, state, pause, answer }: EventOf<'choice'>): readonly Item[] {
  const item: PauseItem = { kind: 'pause', id: `${callId}?`, callId, tool, state, pause, answer };
  const call = items.findIndex(({ id }) => id === callId);
  if (call < 0 || items.some(({ id }) => id === item.id)) return put(items, item);
  return items.toSpliced(call + 1, 0, item);
}

/** The requested actions, message by message; last, without an id, what belongs to one that is not complete yet. */
export function byMessage({ messages, actions }: Pick<RunView, 'messages' | 'actions'>): MessageActions[] {
  return [...messages, null].map((messageId) => ({ messageId, actions: actions.filter((requested) => requested.messageId === messageId).map(({ action }) => action) }));
}

/** The question that keeps the run waiting. */
export function openPause({ items, state }: RunView): PauseItem | undefined {
  if (isOver(state)) return undefined;
  return items.findLast((item): item is PauseItem => item.kind === 'pause' && item.state === 'waiting');
}

/** In the place of the item with the same id, else at the end. */
function put(items: readonly Item[], item: Item): readonly Item[] {
  const at = items.findIndex(({ id }) => id === item.id);
  return at < 0 ? [...items, item] : items.with(at, item);
}
