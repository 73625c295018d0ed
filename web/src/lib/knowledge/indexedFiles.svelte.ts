/** The newest files of a workspace with their index status: whether they can be searched by now. */
import { askIndexedFiles } from './server';
import { isUnderway, stageOf, type Stage } from './states';
import type { IndexedFile } from './types';

const NEWEST = { limit: 200, sort: 'updatedAt', order: 'desc' as const };
const READY: Record<Stage['kind'], number> = { waiting: 0, reading: 0, words: 1, searchable: 2, details: 2, renewing: 2, empty: 0, failed: 0, archived: 0 };

export class IndexedFiles {
  known = $state(false);
  total = $state(0);
  #files = $state.raw<readonly IndexedFile[]>([]);
  underway: number = $derived(this.#files.filter(isUnderway).length);
  failed: number = $derived(this.#files.filter((indexedFile) => stageOf(indexedFile).kind === 'failed').length);
  searchable: readonly IndexedFile[] = $derived(this.#files.filter(({ status }) => (status?.chunks ?? 0) > 0));
  /** Grows when something can be found that could not before: by its words, and then by its meaning. */
  ready: number = $derived(this.#files.reduce((sum, indexedFile) => sum + READY[stageOf(indexedFile).kind], 0));
  #asked: AbortController | undefined;

  constructor(readonly instanceId: string) {}

  async reload(): Promise<void> {
    this.#asked?.abort();
    const asked = (this.#asked = new AbortController());
    try {
      const { items, total } = await askIndexedFiles(this.instanceId, NEWEST, asked.signal);
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
