/** One conversation as the page shows it: its turns, and what can be done with them.
 *
 * The views of its runs are in `run/runViews.svelte.ts`, texts being written in `drafts.ts`.
 */
import type { AgentSwitch } from '../agents/types';
import { api, take } from '../api/client';
import { Problem } from '../api/problem';
import type { Conversation, ConversationRef, InputAccepted } from '../api/types';
import { spelledOut } from '../markdown/marks';
import { isOver, type PauseAnswer, type UiAction } from '../run/events';
import { blank, byMessage, type MessageActions, type RunView, type Speaker } from '../run/reduce';
import { RunViews } from '../run/runViews.svelte';
import { runViewFromStored } from '../run/storedRunView';
import { live } from '../state/live.svelte';
import { shownWidgets } from '../widgets/widgets';
import { linesOf, NO_LINES, type Lines } from './agents/lines';
import { announcementsSince, type QuestionText } from './announcements';
import { inputOf, type NewMessage } from './input';
import { modelChoiceAt } from './modelChoice.svelte';
import { newActions } from './newActions';
import { performAction } from './performAction';
import { meaningOf, type Find, type Source } from './sources/meaning';
import { handOn, runsOf, turnsOf, withPending, type Turn } from './turns';

// Screen readers take the text when it appears; they need not find it there again.
const ANNOUNCED_MS = 1_000;

export class Chat {
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  title = $state('');
  /** Whose it is and who reads it; unknown while it is new. */
  about = $state.raw<ConversationRef | undefined>();
  turns = $state.raw<readonly Turn[]>([]);
  /** Who answers next; every change of that, and where it is shown. */
  agentId = $state<string | undefined>();
  switches = $state.raw<readonly AgentSwitch[]>([]);
  lines = $state.raw<Lines>(NO_LINES);
  #speakers = $state.raw<ReadonlyMap<string, Speaker>>(new Map());
  /** The last announcement for screen readers; cleared after a moment, so that it is not met twice. */
  announcement = $state('');
  /** The wording of announcements; the page that shows the conversation sets it. */
  announcedText: (text: string, find: Find) => string = (text) => spelledOut(text, () => '');
  announcedQuestion: QuestionText = (_, pause) => pause.text;
  announcedSwitch: (change: AgentSwitch) => string = () => '';
  #runViews = new RunViews((before, now) => this.#runViewChanged(before, now));
  /** Runs that began while this page was open: all their events are new here. */
  #begun = new Set<string>();

  constructor(
    readonly workspaceId: string,
    readonly id: string,
  ) {}

  runView(runId: string | undefined): RunView | undefined {
    return runId === undefined ? undefined : this.#runViews.get(runId);
  }

  /** The actions requested on the branch that is on the screen, oldest first. */
  get actions(): UiAction[] {
    return this.turns.flatMap(runsOf).flatMap((runId) => this.runView(runId)?.actions ?? []).map(({ action }) => action);
  }

  /** The same, message by message; also of messages without an action. */
  get messageActions(): MessageActions[] {
    return this.turns.flatMap((turn) => [{ messageId: turn.messageId, actions: [] }, ...runsOf(turn).flatMap((runId) => byMessage(this.runView(runId) ?? blank(runId)))]);
  }

  /** Calls on the screen whose widget is shown. */
  get widgets(): ReadonlySet<string> {
    const views = (turns: readonly Turn[]) => turns.flatMap(runsOf).flatMap((runId) => this.runView(runId) ?? []);
    return shownWidgets(views(this.turns), views(this.turns.slice(-1)));
  }

  /** What a mark in this run's answer means. */
  source(runId: string | undefined, mark: string): Source | undefined {
    const answered = this.turns.flatMap((turn) => runsOf(turn).map((run) => ({ run, turn, runView: this.runView(run) })));
    return meaningOf(mark, answered.slice(0, answered.findIndex(({ run }) => run === runId) + 1));
  }

  /** Who speaks in a run. */
  speaker(runId: string): Speaker | undefined {
    return this.#speakers.get(runId);
  }

  /** More than one agent has spoken, or will: it has to be said whose words are whose. */
  get isShared(): boolean {
    return this.switches.length > 0 || new Set([...this.#speakers.values()].map(({ id }) => id)).size > 1;
  }

  /** The run that is at work, or will be next; it may be on another branch. */
  get current(): RunView | undefined {
    return this.#runViews.live;
  }

  /** Loads it and follows its changes; returns the function that stops following. */
  open(): () => void {
    void this.refresh();
    const unfollow = live.follow(['conversation', 'run'], () => void this.refresh());
    const unlisten = live.listen((event) => this.#runViews.receive(event));
    return () => (unfollow(), unlisten());
  }

  async refresh(): Promise<void> {
    try {
      this.#take(await take(api.GET('/api/workspace/{instanceId}/conversations/{workflowId}', { params: { path: this.#path } })));
    } catch (cause) {
      if (this.status === 'ready' && Problem.of(cause).code === 'network') return; // the stream will be opened again
      this.problem = Problem.of(cause);
      this.status = 'failed';
    }
  }

  /** Sends a message; in the place of `replaces`, if that is given: the conversation branches there. */
  async send(message: NewMessage, replaces?: string): Promise<void> {
    const body = inputOf(message, { workflowId: this.id, replaces: replaces ?? null, model: modelChoiceAt(this.id).chosen?.model ?? null });
    this.accepted(message, await take(api.POST('/api/workspace/{instanceId}/input', { params: { path: this.#path }, body })), replaces);
  }

  /** Have the last message answered again, by another model if one is named; the answer that is there stays. */
  async retry(model = modelChoiceAt(this.id).chosen?.model): Promise<void> {
    const how = { params: { path: this.#path }, body: { model: model ?? null } };
    const { messageId, runId } = await take(api.POST('/api/workspace/{instanceId}/conversations/{workflowId}/retry', how));
    this.turns = this.turns.map((turn) => (turn.messageId === messageId ? { ...turn, runId } : turn));
    this.#begin(runId);
    await this.refresh();
  }

  /** Another agent answers from here on; an answer under way is finished by the agent that began it. */
  async switchAgent(agentId: string): Promise<void> {
    const to = { params: { path: this.#path }, body: { agentId, reason: '' } };
    this.agentId = (await take(api.POST('/api/workspace/{instanceId}/conversations/{workflowId}/switchAgent', to))).activeAgentId;
    await this.refresh();
  }

  /** Back to the agent that answered before the last switch. */
  async undoSwitch(): Promise<void> {
    const from = { params: { path: this.#path } };
    this.agentId = (await take(api.POST('/api/workspace/{instanceId}/conversations/{workflowId}/undoSwitch', from))).activeAgentId;
    await this.refresh();
  }

  /** Go to the branch of this message. */
  async show(messageId: string): Promise<void> {
    const to = { params: { path: this.#path }, body: { messageId } };
    await take(api.PUT('/api/workspace/{instanceId}/conversations/{workflowId}/branch', to));
    this.turns = this.turns.filter(({ pending }) => !pending);
    await this.refresh();
  }

  /** Answers the question of a run. The first answer counts; the card shows it. */
  async answer(runId: string, callId: string, answer: PauseAnswer): Promise<void> {
    try {
      await take(api.POST('/api/runs/{runId}/answer', { params: { path: { runId } }, body: { callId, answer } }));
    } catch (cause) {
      if (Problem.of(cause).code !== 'pauseConsumed') throw cause;
    }
    await this.#runViews.catchUp(runId);
  }

  /** The server has taken this input. */
  accepted({ prompt, files = [] }: NewMessage, { messageId, runId }: InputAccepted, replaces?: string): void {
    const goesOn = this.turns.some((turn) => turn.runId === runId); // it waited for this message
    if (!goesOn) this.turns = withPending(this.turns, [{ messageId, prompt, files, runId, pending: { replaces } }]);
    if (this.agentId && !this.#speakers.has(runId)) this.#speaks(runId, { id: this.agentId, name: '' });
    this.#begin(runId);
    this.status = 'ready';
  }

  async stop(runId: string): Promise<void> {
    this.#runViews.settle(await take(api.POST('/api/runs/{runId}/stop', { params: { path: { runId } } })));
    void this.#runViews.catchUp(runId);
  }

  get #path() {
    return { instanceId: this.workspaceId, workflowId: this.id };
  }

  #take(thread: Conversation): void {
    const { conversation, messages, runs, agentHistory } = thread;
    this.turns = withPending(turnsOf(thread), this.turns);
    this.title = conversation.title;
    this.about = conversation;
    this.agentId = conversation.activeAgentId;
    const newest = agentHistory.at(-1);
    if (this.status === 'ready' && newest && agentHistory.length > this.switches.length) this.#announce(this.announcedSwitch(newest));
    this.switches = agentHistory;
    this.lines = linesOf(agentHistory, messages);
    this.#speakers = new Map(runs.map(({ id, agentId, agentName }) => [id, { id: agentId, name: agentName }]));
    const shown = new Set(this.turns.flatMap(runsOf));
    for (const run of runs) this.#runViews.take(run, runViewFromStored(run, messages), shown.has(run.id));
    this.status = 'ready';
    this.problem = null;
  }

  #speaks(runId: string, agent: Speaker): void {
    this.#speakers = new Map([...this.#speakers, [runId, agent]]);
  }

  #begin(runId: string): void {
    this.#begun.add(runId);
    this.#runViews.begin(runId);
  }

  /** Live, before the thread knows of it: no event of the next agent's run is missed. */
  #handOn(from: string, { runId, agent }: NonNullable<RunView['handedTo']>): void {
    if (this.turns.some((turn) => runsOf(turn).includes(runId))) return;
    this.turns = handOn(this.turns, from, runId);
    this.#speaks(runId, agent);
    this.#begin(runId);
  }

  #runViewChanged(before: RunView | undefined, now: RunView): void {
    for (const action of newActions(before, now, this.#begun.has(now.runId))) performAction(action, this.id);
    if (now.handedTo && !before?.handedTo && before) this.#handOn(now.runId, now.handedTo);
    // Before its first round it has read what the question points at, and found what may answer it.
    if (before?.round === 0 && now.round > 0 && !isOver(now.state)) void this.refresh();
    // Only the thread knows where the stored answer stands among others.
    if (isOver(now.state) && before && !isOver(before.state)) void this.refresh();
    this.#announce(announcementsSince(before, now, (text) => this.announcedText(text, (mark) => this.source(now.runId, mark)), this.announcedQuestion));
  }

  #announce(text: string | undefined): void {
    if (text === undefined) return;
    this.announcement = text;
    setTimeout(() => {
      if (this.announcement === text) this.announcement = '';
    }, ANNOUNCED_MS);
  }
}
