/** How far the files on the screen have come on their way into the search. An extra: without it the list is as good. */
import { askStatuses } from '../knowledge/server';
import type { IndexStatus } from '../knowledge/types';
import type { StoredFile } from '../api/types';

class Indexing {
  #known = $state.raw<ReadonlyMap<string, IndexStatus | null>>(new Map());
  #asked: AbortController | undefined;

  async look(instanceId: string, files: readonly StoredFile[]): Promise<void> {
    this.#asked?.abort();
    const asked = (this.#asked = new AbortController());
    try {
      const found = await askStatuses(instanceId, files.map(({ id }) => id), asked.signal);
      if (this.#asked === asked) this.#known = new Map(files.map(({ id }) => [id, found.get(id) ?? null]));
    } catch {
      // asked again with the next change
    }
  }

  of(fileId: string): IndexStatus | undefined {
    return this.#known.get(fileId) ?? undefined;
  }

  /** Whether the server was asked about it; one it says nothing of waits for its turn. */
  isKnown(fileId: string): boolean {
    return this.#known.has(fileId);
  }
}

export const indexing = new Indexing();
