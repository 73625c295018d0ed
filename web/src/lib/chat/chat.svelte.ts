/** One conversation as the page shows it: who said what, and what can be done about it.
 *
 * What its runs look like is `run/pictures.svelte.ts`; it keeps no text of its own: `drafts.ts` does.
 */
import { api, take } from '../api/client';
import { Problem } from '../api/problem';
import type { Conversation, InputAccepted } from '../api/types';
import { isOver, type PauseAnswer } from '../run/events';
import { Pictures } from '../run/pictures.svelte';
import type { Picture } from '../run/reduce';
import { storedPicture } from '../run/stored';
import { live } from '../state/live.svelte';
import { inputOf, type Said } from './input';
import { newlySaid } from './newlySaid';
import { newOrders } from './newOrders';
import { obey } from './obey';
import { turnsOf, withPending, type Turn } from './turns';
import { wishAt } from './wish.svelte';

// Screen readers take the text when it appears; they need not find it there again.
const HEARD_MS = 1_000;

export class Chat {
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  title = $state('');
  turns = $state.raw<readonly Turn[]>([]);
  /** What was said last, for those who listen instead of reading; gone after a moment, so that nobody meets it twice. */
  said = $state('');
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
    const { conversation, messages, runs } = thread;
    this.turns = withPending(turnsOf(thread), this.turns);
    this.title = conversation.title;
    const shown = new Set(this.turns.map(({ runId }) => runId));
    for (const run of runs) this.#pictures.take(run, storedPicture(run, messages), shown.has(run.id));
    this.status = 'ready';
    this.problem = null;
  }

  #begin(runId: string): void {
    this.#begun.add(runId);
    this.#pictures.begin(runId);
  }

  #drawn(before: Picture | undefined, now: Picture): void {
    for (const action of newOrders(before, now, this.#begun.has(now.runId))) obey(action, this.id);
    // Before its first round it has read what the question points at.
    if (before?.round === 0 && now.round > 0 && this.turns.some(({ runId, prompt, files }) => runId === now.runId && (files?.length || prompt.includes('@')))) void this.refresh();
    // Only the thread knows where the stored answer stands among others.
    if (isOver(now.state) && before && !isOver(before.state)) void this.refresh();
    this.#say(newlySaid(before, now));
  }

  #say(words: string | undefined): void {
    if (words === undefined) return;
    this.said = words;
    setTimeout(() => {
      if (this.said === words) this.said = '';
    }, HEARD_MS);
  }
}
