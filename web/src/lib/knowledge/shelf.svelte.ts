/** Whether the files of a workspace can be searched by now: the newest of them, which are the ones that may not yet. */
import { askShelf } from './server';
import { isUnderway, stageOf, type Stage } from './states';
import type { Shelved } from './types';

const NEWEST = { limit: 200, sort: 'updatedAt', order: 'desc' as const };
const READY: Record<Stage['kind'], number> = { waiting: 0, reading: 0, words: 1, searchable: 2, renewing: 2, empty: 0, failed: 0, archived: 0 };

export class Shelf {
  known = $state(false);
  total = $state(0);
  #files = $state.raw<readonly Shelved[]>([]);
  underway: number = $derived(this.#files.filter(isUnderway).length);
  failed: number = $derived(this.#files.filter((shelved) => stageOf(shelved).kind === 'failed').length);
  searchable: readonly Shelved[] = $derived(this.#files.filter(({ status }) => (status?.chunks ?? 0) > 0));
  /** Grows when something can be found that could not before: by its words, and then by its meaning. */
  ready: number = $derived(this.#files.reduce((sum, shelved) => sum + READY[stageOf(shelved).kind], 0));
  #asked: AbortController | undefined;

  constructor(readonly instanceId: string) {}

  async look(): Promise<void> {
    this.#asked?.abort();
    const asked = (this.#asked = new AbortController());
    try {
      const { items, total } = await askShelf(this.instanceId, NEWEST, asked.signal);
      if (this.#asked !== asked) return;
      this.#files = items;
      this.total = total;
      this.known = true;
    } catch {
      // An extra: the search itself says when the server does not answer.
    }
  }

  leave(): void {
    this.#asked?.abort();
  }
}
