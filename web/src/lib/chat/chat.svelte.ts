/** One conversation as the page shows it: who said what, and what can be done about it.
 *
 * What its runs look like is `run/pictures.svelte.ts`; it keeps no text of its own: `drafts.ts` does.
 */
import type { AgentSwitch } from '../agents/types';
import { api, take } from '../api/client';
import { Problem } from '../api/problem';
import type { Conversation, ConversationRef, InputAccepted } from '../api/types';
import { spelledOut } from '../markdown/marks';
import { isOver, type PauseAnswer } from '../run/events';
import { Pictures } from '../run/pictures.svelte';
import { blank, byMessage, type Order, type Ordering, type Picture, type Speaker } from '../run/reduce';
import { storedPicture } from '../run/stored';
import { live } from '../state/live.svelte';
import { linesOf, NO_LINES, type Lines } from './agents/lines';
import { inputOf, type Said } from './input';
import { newlySaid, type Ask } from './newlySaid';
import { newOrders } from './newOrders';
import { obey } from './obey';
import { meaningOf, type Find, type Source } from './sources/meaning';
import { handOn, runsOf, turnsOf, withPending, type Turn } from './turns';
import { wishAt } from './wish.svelte';

// Screen readers take the text when it appears; they need not find it there again.
const HEARD_MS = 1_000;

export class Chat {
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  title = $state('');
  /** Whose it is and who reads it; unknown while it is new. */
  about = $state.raw<ConversationRef | undefined>();
  turns = $state.raw<readonly Turn[]>([]);
  /** Who answers next; every change of that, and where it is told. */
  agentId = $state<string | undefined>();
  switches = $state.raw<readonly AgentSwitch[]>([]);
  lines = $state.raw<Lines>(NO_LINES);
  #speakers = $state.raw<ReadonlyMap<string, Speaker>>(new Map());
  /** What was said last, for those who listen instead of reading; gone after a moment, so that nobody meets it twice. */
  said = $state('');
  /** How sources are named to them; the page that shows the conversation knows better. */
  tell: (text: string, find: Find) => string = (text) => spelledOut(text, () => '');
  tellAsked: Ask = (_, pause) => pause.text;
  tellSwitch: (one: AgentSwitch) => string = () => '';
  #pictures = new Pictures((before, now) => this.#drawn(before, now));
  /** Runs that began while this page was open: everything they say is news here. */
  #begun = new Set<string>();

  constructor(
    readonly workspaceId: string,
    readonly id: string,
  ) {}

  picture(runId: string | undefined): Picture | undefined {
    return runId === undefined ? undefined : this.#pictures.get(runId);
  }

  /** Everything the page was told to do on the branch that is on the screen, oldest first. */
  get orders(): Order['action'][] {
    return this.turns.flatMap(runsOf).flatMap((runId) => this.picture(runId)?.orders ?? []).map(({ action }) => action);
  }

  /** The same, message by message; also those without an order. */
  get orderings(): Ordering[] {
    return this.turns.flatMap((turn) => [{ messageId: turn.messageId, actions: [] }, ...runsOf(turn).flatMap((runId) => byMessage(this.picture(runId) ?? blank(runId)))]);
  }

  /** What a mark in this run's answer means. */
  source(runId: string | undefined, mark: string): Source | undefined {
    const spoken = this.turns.flatMap((turn) => runsOf(turn).map((run) => ({ run, turn, picture: this.picture(run) })));
    return meaningOf(mark, spoken.slice(0, spoken.findIndex(({ run }) => run === runId) + 1));
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
  get current(): Picture | undefined {
    return this.#pictures.live;
  }

  /** Load it and follow what happens; returns the way to stop following. */
  open(): () => void {
    void this.refresh();
    const unfollow = live.follow(['conversation', 'run'], () => void this.refresh());
    const unlisten = live.listen((spoken) => this.#pictures.hear(spoken));
    return () => (unfollow(), unlisten());
  }

  async refresh(): Promise<void> {
    try {
      this.#take(await take(api.GET('/api/workspace/{instanceId}/conversations/{workflowId}', { params: { path: this.#path } })));
    } catch (cause) {
      if (this.status === 'ready' && Problem.of(cause).code === 'network') return; // the stream will say hello again
      this.problem = Problem.of(cause);
      this.status = 'failed';
    }
  }

  /** Say something; in the place of `replaces`, if that is given: the conversation branches there. */
  async send(said: Said, replaces?: string): Promise<void> {
    const body = inputOf(said, { workflowId: this.id, replaces: replaces ?? null, model: wishAt(this.id).chosen?.model ?? null });
    this.accepted(said, await take(api.POST('/api/workspace/{instanceId}/input', { params: { path: this.#path }, body })), replaces);
  }

  /** Have the last message answered again, by another model if one is named; the answer that is there stays. */
  async retry(model = wishAt(this.id).chosen?.model): Promise<void> {
    const how = { params: { path: this.#path }, body: { model: model ?? null } };
    const { messageId, runId } = await take(api.POST('/api/workspace/{instanceId}/conversations/{workflowId}/retry', how));
    this.turns = this.turns.map((turn) => (turn.messageId === messageId ? { ...turn, runId } : turn));
    this.#begin(runId);
    await this.refresh();
  }

  /** Somebody else answers from here on; an answer under way ends as who began it. */
  async switchAgent(agentId: string): Promise<void> {
    const to = { params: { path: this.#path }, body: { agentId, reason: '' } };
    this.agentId = (await take(api.POST('/api/workspace/{instanceId}/conversations/{workflowId}/switchAgent', to))).activeAgentId;
    await this.refresh();
  }

  /** Back to who answered before the last switch. */
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

  /** Answer what a run asks. Whoever answered first counts; the card shows what they said. */
  async answer(runId: string, callId: string, answer: PauseAnswer): Promise<void> {
    try {
      await take(api.POST('/api/runs/{runId}/answer', { params: { path: { runId } }, body: { callId, answer } }));
    } catch (cause) {
      if (Problem.of(cause).code !== 'pauseConsumed') throw cause;
    }
    await this.#pictures.catchUp(runId);
  }

  /** The server has taken this input. */
  accepted({ prompt, files = [] }: Said, { messageId, runId }: InputAccepted, replaces?: string): void {
    const goesOn = this.turns.some((turn) => turn.runId === runId); // it waited for these words
    if (!goesOn) this.turns = withPending(this.turns, [{ messageId, prompt, files, runId, pending: { replaces } }]);
    if (this.agentId && !this.#speakers.has(runId)) this.#speaks(runId, { id: this.agentId, name: '' });
    this.#begin(runId);
    this.status = 'ready';
  }

  async stop(runId: string): Promise<void> {
    this.#pictures.settle(await take(api.POST('/api/runs/{runId}/stop', { params: { path: { runId } } })));
    void this.#pictures.catchUp(runId);
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
    if (this.status === 'ready' && newest && agentHistory.length > this.switches.length) this.#say(this.tellSwitch(newest));
    this.switches = agentHistory;
    this.lines = linesOf(agentHistory, messages);
    this.#speakers = new Map(runs.map(({ id, agentId, agentName }) => [id, { id: agentId, name: agentName }]));
    const shown = new Set(this.turns.flatMap(runsOf));
    for (const run of runs) this.#pictures.take(run, storedPicture(run, messages), shown.has(run.id));
    this.status = 'ready';
    this.problem = null;
  }

  #speaks(runId: string, agent: Speaker): void {
    this.#speakers = new Map([...this.#speakers, [runId, agent]]);
  }

  #begin(runId: string): void {
    this.#begun.add(runId);
    this.#pictures.begin(runId);
  }

  /** Live, before the thread knows of it: nothing of what the next agent says is missed. */
  #handOn(from: string, { runId, agent }: NonNullable<Picture['handedTo']>): void {
    if (this.turns.some((turn) => runsOf(turn).includes(runId))) return;
    this.turns = handOn(this.turns, from, runId);
    this.#speaks(runId, agent);
    this.#begin(runId);
  }

  #drawn(before: Picture | undefined, now: Picture): void {
    for (const action of newOrders(before, now, this.#begun.has(now.runId))) obey(action, this.id);
    if (now.handedTo && !before?.handedTo && before) this.#handOn(now.runId, now.handedTo);
    // Before its first round it has read what the question points at, and found what may answer it.
    if (before?.round === 0 && now.round > 0 && !isOver(now.state)) void this.refresh();
    // Only the thread knows where the stored answer stands among others.
    if (isOver(now.state) && before && !isOver(before.state)) void this.refresh();
    this.#say(newlySaid(before, now, (text) => this.tell(text, (mark) => this.source(now.runId, mark)), this.tellAsked));
  }

  #say(words: string | undefined): void {
    if (words === undefined) return;
    this.said = words;
    setTimeout(() => {
      if (this.said === words) this.said = '';
    }, HEARD_MS);
  }
}
