/** The edits users have made on the map of a conversation, as the server stores them: shown at once, sent one after the other, and
 * reverted when the server refuses. Each request waits for the one before, so that no answer is older than what is on the screen. */
import type { MapEdit } from '../api/types';
import { withEdit, type AnchoredEdit } from './edits';
import type { StoredMapEdits } from './server';

export interface MapEditApi {
  load(): Promise<StoredMapEdits>;
  send(edit: AnchoredEdit): Promise<StoredMapEdits>;
  /** An edit was refused, and is not on the map any more. */
  onRefused(cause: unknown): void;
  /** The edits could not be loaded; that is tried again with the next event of the server. */
  onLoadFailed(cause: unknown): void;
}

export class MapEdits {
  /** Whether there is an answer at all: before, it is unknown what the map looks like. */
  isKnown = $state(false);
  mayEdit = $state(false);
  #stored = $state.raw<readonly AnchoredEdit[]>([]);
  #waiting = $state.raw<readonly AnchoredEdit[]>([]);
  #tried = $state.raw<AnchoredEdit | null>(null);
  #queue: Promise<void> = Promise.resolve();
  #reloadIsQueued = false;

  constructor(private readonly api: MapEditApi) {}

  get all(): readonly AnchoredEdit[] {
    return [...this.#waiting, ...(this.#tried ? [this.#tried] : [])].reduce<readonly AnchoredEdit[]>(withEdit, this.#stored);
  }

  /** Loads the stored edits; several calls while one is queued are one. */
  reload(): Promise<void> {
    if (this.#reloadIsQueued) return this.#queue;
    this.#reloadIsQueued = true;
    return this.#next(async () => {
      this.#reloadIsQueued = false;
      try {
        this.#take(await this.api.load());
      } catch (cause) {
        this.api.onLoadFailed(cause);
      }
      this.isKnown = true;
    });
  }

  /** Shown, and not stored: the control is still being moved. */
  try(after: string, edit: MapEdit): void {
    this.#tried = { after, edit };
  }

  make(after: string, edit: MapEdit): Promise<void> {
    const added = { after, edit };
    this.#tried = null;
    this.#waiting = withEdit(this.#waiting, added);
    return this.#next(() => this.#send(added));
  }

  async #send(added: AnchoredEdit): Promise<void> {
    if (!this.#waiting.includes(added)) return; // it was replaced meanwhile
    try {
      this.#take(await this.api.send(added));
    } catch (cause) {
      if (this.#waiting.includes(added)) this.api.onRefused(cause);
      void this.reload(); // the right to edit may be gone
    }
    this.#waiting = this.#waiting.filter((other) => other !== added);
  }

  #take({ edits, mayEdit }: StoredMapEdits): void {
    this.#stored = edits.map(({ afterMessageId, edit }) => ({ after: afterMessageId, edit }));
    this.mayEdit = mayEdit;
  }

  #next(task: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(task);
    return this.#queue;
  }
}
