/** The views of the runs of a conversation: reduced from their events, and from their logs where this page missed some. */
import { SvelteMap } from 'svelte/reactivity';
import type { Run } from '../api/types';
import { isOver, type NumberedEvent } from './events';
import { readLog } from './log';
import { blank, isBehind, reduce, type RunView } from './reduce';
import { needsLog } from './storedRunView';

export class RunViews {
  #shown = new SvelteMap<string, RunView>();
  /** What the events add up to; shown once it is complete as far as the log goes. */
  #replayed = new Map<string, RunView>();
  #reading = new Set<string>();
  /** Runs whose log has to be read once more: they sent events meanwhile. */
  #again = new Set<string>();
  /** Received, and not reduced yet. */
  #received: NumberedEvent[] = [];

  /** `onChange` is called for every change that came from events. */
  constructor(private readonly onChange: (before: RunView | undefined, now: RunView) => void) {}

  get(runId: string): RunView | undefined {
    return this.#shown.get(runId);
  }

  /** The run at work or waiting for a person; without one, the next that will be. */
  get live(): RunView | undefined {
    const going = [...this.#shown.values()].filter(({ state }) => !isOver(state));
    return going.find(({ state }) => state !== 'queued') ?? going[0];
  }

  /** A run that was just accepted. */
  begin(runId: string): void {
    if (!this.#shown.has(runId)) this.#shown.set(runId, blank(runId));
    void this.catchUp(runId);
  }

  /** A run as it is stored; its log is read when that has more and the run `isShown`. */
  take(run: Run, stored: RunView, isShown: boolean): void {
    const known = this.#replayed.get(run.id);
    if (!known?.seq && !this.#reading.has(run.id)) this.#shown.set(run.id, stored);
    const complete = known !== undefined && isOver(known.state) && !isBehind(known);
    // What others ask does not come with the stream: a log that was read in part is read to its end.
    if (!complete && isShown && (known?.seq || needsLog(run, stored))) void this.catchUp(run.id);
  }

  /** Adds an event of the stream. Many events in one frame are one change of the view. */
  receive(event: NumberedEvent): void {
    if (!this.#shown.has(event.runId)) return;
    if (this.#received.push(event) > 1) return;
    if (document.hidden) setTimeout(() => this.#flush());
    else requestAnimationFrame(() => this.#flush());
  }

  /** Reads what was missed. Shown at the end, so that nothing that was on the screen disappears meanwhile. */
  async catchUp(runId: string): Promise<void> {
    if (this.#reading.has(runId)) return void this.#again.add(runId);
    this.#reading.add(runId);
    try {
      for (;;) {
        this.#again.delete(runId);
        const { seq = 0, lastSeenSeq = 0 } = this.#replayed.get(runId) ?? {};
        const { items, state } = await readLog(runId, seq);
        for (const event of items) this.#add(event);
        const now = this.#replayed.get(runId);
        if ((now?.seq ?? 0) > seq || (now?.lastSeenSeq ?? 0) > lastSeenSeq || this.#again.has(runId)) continue;
        if (isOver(state)) this.settle({ id: runId, state });
        break;
      }
    } catch {
      // Out of reach or gone; the stream says hello again once the server is back, and this runs again.
    } finally {
      this.#reading.delete(runId);
      this.#show(runId);
    }
  }

  /** A run that never began ends without an event: its state is all there is. */
  settle({ id, state }: Pick<Run, 'id' | 'state'>): void {
    const replayed = this.#replayed.get(id);
    if (replayed && replayed.seq > 0) return;
    const shown = this.#shown.get(id) ?? blank(id);
    if (shown.state !== state) this.#shown.set(id, { ...shown, state });
  }

  #flush(): void {
    const touched = new Set(this.#received.map(({ runId }) => runId));
    for (const event of this.#received.splice(0)) this.#add(event);
    for (const runId of touched) {
      if (this.#reading.has(runId)) continue;
      if (isBehind(this.#replayed.get(runId)!)) void this.catchUp(runId);
      else this.#show(runId);
    }
  }

  #add(event: NumberedEvent): void {
    this.#replayed.set(event.runId, reduce(this.#replayed.get(event.runId) ?? blank(event.runId), event));
  }

  #show(runId: string): void {
    const replayed = this.#replayed.get(runId);
    const shown = this.#shown.get(runId);
    if (!replayed || replayed.seq === 0 || replayed === shown) return;
    this.#shown.set(runId, replayed);
    this.onChange(shown, replayed);
  }
}
