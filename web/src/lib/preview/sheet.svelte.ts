/** One sheet on the screen: slices of rows, fetched while scrolling. */
import { Problem } from '../api/problem';
import type { Place } from './place';
import { askObjects } from './server';
import { addTo, columnWidths, emptyGrid, sliceOf, type Grid } from './tables';
import type { ContentObject } from './types';

const SLICES = 5;

export class Sheet {
  grid = $state.raw<Grid>(emptyGrid());
  widths = $state.raw<number[]>([]);
  /** What is on the sheet besides cells. */
  others = $state.raw<ContentObject[]>([]);
  /** There is more in the file than can be shown. */
  cut = $state(false);
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  #next: string | undefined;
  #begun = false;
  #pending: Promise<void> | undefined;
  #asked = new AbortController();

  constructor(
    private readonly place: Place,
    /** Undefined for a file that is one table. */
    readonly name: string | undefined,
  ) {}

  get hasMore(): boolean {
    return !this.#begun || this.#next !== undefined;
  }

  leave(): void {
    this.#asked.abort();
  }

  /** One step further; calls meanwhile wait for the same. */
  more(): Promise<void> {
    if (!this.#pending && this.hasMore) this.#pending = this.#fetch().finally(() => (this.#pending = undefined));
    return this.#pending ?? Promise.resolve();
  }

  async #fetch(): Promise<void> {
    this.status = 'loading';
    try {
      const part = this.name === undefined ? undefined : `sheet:${this.name}`;
      const page = await askObjects(this.place, { part, cursor: this.#next, limit: SLICES }, this.#asked.signal);
      this.#take(page.items);
      this.cut ||= page.cut;
      this.#next = page.nextCursor ?? undefined;
      this.#begun = true;
      this.status = 'ready';
      this.problem = null;
    } catch (cause) {
      if (this.#asked.signal.aborted) return;
      this.problem = Problem.of(cause);
      this.status = 'failed';
    }
  }

  /** Until this row is there, or there are no more. */
  async reach(row: number): Promise<void> {
    while (this.grid.height < row && this.hasMore && this.status !== 'failed') await this.more();
  }

  #take(objects: readonly ContentObject[]): void {
    const grid = { ...this.grid };
    for (const object of objects) addTo(grid, object);
    this.others = [...this.others, ...objects.filter(({ contentType, ref }) => contentType !== 'text' || !sliceOf(ref.location))];
    const known = this.widths.length;
    // Columns that are on the screen already keep their width.
    if (grid.width > known) this.widths = [...this.widths, ...columnWidths(grid, grid.width).slice(known)];
    this.grid = grid;
  }
}
