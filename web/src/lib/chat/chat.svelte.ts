/** One conversation as the page shows it: who said what, and what its runs look like by now.
 *
 * Runs are drawn from what they say (`run/reduce.ts`); what this page did not hear it reads in their logs. It keeps no
 * text of its own: `drafts.ts` does.
 */
import { SvelteMap } from 'svelte/reactivity';
import { api, take } from '../api/client';
import { Problem } from '../api/problem';
import type { Conversation, InputAccepted, Run } from '../api/types';
import { isOver, type Spoken } from '../run/events';
import { readLog } from '../run/log';
import { blank, isBehind, reduce, type Picture } from '../run/reduce';
import { needsLog, storedPicture } from '../run/stored';
import { live } from '../state/live.svelte';
import { newlySaid } from './newlySaid';
import { turnsOf, type Turn } from './turns';

// Screen readers take the text when it appears; they need not find it there again.
const HEARD_MS = 1_000;

export class Chat {
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  title = $state('');
  turns = $state.raw<readonly Turn[]>([]);
  /** What was said last, for those who listen instead of reading; gone after a moment, so that nobody meets it twice. */
  said = $state('');
  #pictures = new SvelteMap<string, Picture>();
  /** What the events have added up to; drawn once it is complete as far as the log goes. */
  #replayed = new Map<string, Picture>();
  #reading = new Set<string>();
  #heard: Spoken[] = [];

  constructor(
    readonly workspaceId: string,
    readonly id: string,
  ) {}

  picture(runId: string | undefined): Picture | undefined {
    return runId === undefined ? undefined : this.#pictures.get(runId);
  }

  /** The run that is at work, or will be next. */
  get current(): Picture | undefined {
    return this.turns.map(({ runId }) => this.picture(runId)).find((picture) => picture !== undefined && !isOver(picture.state));
  }

  /** Load it and follow what happens; returns the way to stop following. */
  open(): () => void {
    void this.refresh();
    const unfollow = live.follow(['conversation', 'run'], () => void this.refresh());
    const unlisten = live.listen((spoken) => this.#hear(spoken));
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

  async send(prompt: string, clientId: string): Promise<void> {
    const body = { prompt, clientId, workflowId: this.id };
    this.accepted(prompt, await take(api.POST('/api/workspace/{instanceId}/input', { params: { path: this.#path }, body })));
  }

  /** The server has taken this input. */
  accepted(prompt: string, { messageId, runId }: InputAccepted): void {
    if (!this.turns.some((turn) => turn.messageId === messageId)) this.turns = [...this.turns, { messageId, prompt, runId }];
    if (!this.#pictures.has(runId)) this.#pictures.set(runId, blank(runId));
    this.status = 'ready';
    void this.#catchUp(runId);
  }

  async stop(runId: string): Promise<void> {
    this.#settle(await take(api.POST('/api/runs/{runId}/stop', { params: { path: { runId } } })));
    void this.#catchUp(runId);
  }

  get #path() {
    return { instanceId: this.workspaceId, workflowId: this.id };
  }

  #take({ conversation, messages, runs }: Conversation): void {
    const turns = turnsOf(messages, runs);
    // What we just sent may not be in an answer that was on its way already.
    const known = new Set(turns.map(({ messageId }) => messageId));
    const ended = new Set(runs.filter(({ state }) => isOver(state)).map(({ id }) => id));
    const pending = this.turns.filter(({ messageId, runId }) => !known.has(messageId) && !(runId && ended.has(runId)));
    this.turns = [...turns, ...pending];
    this.title = conversation.title;
    for (const run of runs) this.#takeRun(run, storedPicture(run, messages));
    this.status = 'ready';
    this.problem = null;
  }

  #takeRun(run: Run, stored: Picture): void {
    const shown = this.#replayed.get(run.id);
    if (!shown?.seq && !this.#reading.has(run.id)) this.#pictures.set(run.id, stored);
    const complete = shown !== undefined && isOver(shown.state) && !isBehind(shown);
    if (!complete && needsLog(run, stored)) void this.#catchUp(run.id);
  }

  // Many events in one frame are one change of the picture.
  #hear(spoken: Spoken): void {
    if (!this.#pictures.has(spoken.runId)) return;
    if (this.#heard.push(spoken) > 1) return;
    if (document.hidden) setTimeout(() => this.#flush());
    else requestAnimationFrame(() => this.#flush());
  }

  #flush(): void {
    const touched = new Set(this.#heard.map(({ runId }) => runId));
    for (const spoken of this.#heard.splice(0)) this.#add(spoken);
    for (const runId of touched) {
      if (this.#reading.has(runId)) continue;
      if (isBehind(this.#replayed.get(runId)!)) void this.#catchUp(runId);
      else this.#draw(runId);
    }
  }

  #add(spoken: Spoken): void {
    this.#replayed.set(spoken.runId, reduce(this.#replayed.get(spoken.runId) ?? blank(spoken.runId), spoken));
  }

  /** Read what was missed. Drawn at the end, so that nothing that was shown disappears meanwhile. */
  async #catchUp(runId: string): Promise<void> {
    if (this.#reading.has(runId)) return;
    this.#reading.add(runId);
    try {
      for (;;) {
        const { seq = 0, heard = 0 } = this.#replayed.get(runId) ?? {};
        const { items, state } = await readLog(runId, seq);
        for (const spoken of items) this.#add(spoken);
        const now = this.#replayed.get(runId);
        if (items.length > 0 || (now?.heard ?? 0) > heard) continue;
        if (isOver(state)) this.#settle({ id: runId, state });
        break;
      }
    } catch {
      // Out of reach or gone; the stream says hello again once the server is back, and this runs again.
    } finally {
      this.#reading.delete(runId);
      this.#draw(runId);
    }
  }

  /** A run that never began ends without a word: its state is all there is. */
  #settle({ id, state }: Pick<Run, 'id' | 'state'>): void {
    const replayed = this.#replayed.get(id);
    if (replayed && replayed.seq > 0) return;
    const shown = this.#pictures.get(id) ?? blank(id);
    if (shown.state !== state) this.#pictures.set(id, { ...shown, state });
  }

  #draw(runId: string): void {
    const replayed = this.#replayed.get(runId);
    const shown = this.#pictures.get(runId);
    if (!replayed || replayed.seq === 0 || replayed === shown) return;
    this.#pictures.set(runId, replayed);
    const said = newlySaid(shown, replayed);
    if (said === undefined) return;
    this.said = said;
    setTimeout(() => {
      if (this.said === said) this.said = '';
    }, HEARD_MS);
  }
}
