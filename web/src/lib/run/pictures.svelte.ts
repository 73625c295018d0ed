/** What the runs of a conversation look like by now: drawn from what they say, and from their logs where this page missed it. */
import { SvelteMap } from 'svelte/reactivity';
import type { Run } from '../api/types';
import { isOver, type Spoken } from './events';
import { readLog } from './log';
import { blank, isBehind, reduce, type Picture } from './reduce';
import { needsLog } from './stored';

export class Pictures {
  #shown = new SvelteMap<string, Picture>();
  /** What the events have added up to; drawn once it is complete as far as the log goes. */
  #replayed = new Map<string, Picture>();
  #reading = new Set<string>();
  /** Runs whose log has to be read once more: something was said of them meanwhile. */
  #again = new Set<string>();
  #heard: Spoken[] = [];

  /** `drawn` hears of every change that came from events. */
  constructor(private readonly drawn: (before: Picture | undefined, now: Picture) => void) {}

  get(runId: string): Picture | undefined {
    return this.#shown.get(runId);
  }

  /** The run at work or waiting for a person; without one, the next that will be. */
  get live(): Picture | undefined {
    const going = [...this.#shown.values()].filter(({ state }) => !isOver(state));
    return going.find(({ state }) => state !== 'queued') ?? going[0];
  }

  /** A run that was just accepted. */
  begin(runId: string): void {
    if (!this.#shown.has(runId)) this.#shown.set(runId, blank(runId));
    void this.catchUp(runId);
  }

  /** A run as it is stored; its log is read when it tells more and somebody `looks` at it. */
  take(run: Run, stored: Picture, looks: boolean): void {
    const known = this.#replayed.get(run.id);
    if (!known?.seq && !this.#reading.has(run.id)) this.#shown.set(run.id, stored);
    const complete = known !== undefined && isOver(known.state) && !isBehind(known);
    // What others ask does not come with the stream: a log that was read in part is read to its end.
    if (!complete && looks && (known?.seq || needsLog(run, stored))) void this.catchUp(run.id);
  }

  // Many events in one frame are one change of the picture.
  hear(spoken: Spoken): void {
    if (!this.#shown.has(spoken.runId)) return;
    if (this.#heard.push(spoken) > 1) return;
    if (document.hidden) setTimeout(() => this.#flush());
    else requestAnimationFrame(() => this.#flush());
  }

  /** Read what was missed. Drawn at the end, so that nothing that was shown disappears meanwhile. */
  async catchUp(runId: string): Promise<void> {
    if (this.#reading.has(runId)) return void this.#again.add(runId);
    this.#reading.add(runId);
    try {
      for (;;) {
        this.#again.delete(runId);
        const { seq = 0, heard = 0 } = this.#replayed.get(runId) ?? {};
        const { items, state } = await readLog(runId, seq);
        for (const spoken of items) this.#add(spoken);
        const now = this.#replayed.get(runId);
        if ((now?.seq ?? 0) > seq || (now?.heard ?? 0) > heard || this.#again.has(runId)) continue;
        if (isOver(state)) this.settle({ id: runId, state });
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
  settle({ id, state }: Pick<Run, 'id' | 'state'>): void {
    const replayed = this.#replayed.get(id);
    if (replayed && replayed.seq > 0) return;
    const shown = this.#shown.get(id) ?? blank(id);
    if (shown.state !== state) this.#shown.set(id, { ...shown, state });
  }

  #flush(): void {
    const touched = new Set(this.#heard.map(({ runId }) => runId));
    for (const spoken of this.#heard.splice(0)) this.#add(spoken);
    for (const runId of touched) {
      if (this.#reading.has(runId)) continue;
      if (isBehind(this.#replayed.get(runId)!)) void this.catchUp(runId);
      else this.#draw(runId);
    }
  }

  #add(spoken: Spoken): void {
    this.#replayed.set(spoken.runId, reduce(this.#replayed.get(spoken.runId) ?? blank(spoken.runId), spoken));
  }

  #draw(runId: string): void {
    const replayed = this.#replayed.get(runId);
    const shown = this.#shown.get(runId);
    if (!replayed || replayed.seq === 0 || replayed === shown) return;
    this.#shown.set(runId, replayed);
    this.drawn(shown, replayed);
  }
}
