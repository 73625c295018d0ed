/** What people have changed on the map of a conversation, as the server keeps it: seen at once, sent one after the other, and
 * taken back when the server does not take it. Everything asked of the server waits for what was asked before, so that no answer
 * is older than what is on the screen. */
import type { MapEdit } from '../api/types';
import { withMade, type Made } from './edits';
import type { KeptEdits } from './server';

export interface Keeper {
  ask(): Promise<KeptEdits>;
  send(made: Made): Promise<KeptEdits>;
  /** This is not on the map any more, and why. */
  refused(cause: unknown): void;
  /** What there is could not be read; it is tried again when the server says something. */
  unread(cause: unknown): void;
}

export class Kept {
  /** Whether there is an answer at all: before, nobody knows what the map looks like. */
  isKnown = $state(false);
  mayEdit = $state(false);
  #stored = $state.raw<readonly Made[]>([]);
  #waiting = $state.raw<readonly Made[]>([]);
  #tried = $state.raw<Made | null>(null);
  #line: Promise<void> = Promise.resolve();
  #looks = false;

  constructor(private readonly keeper: Keeper) {}

  get all(): readonly Made[] {
    return [...this.#waiting, ...(this.#tried ? [this.#tried] : [])].reduce<readonly Made[]>(withMade, this.#stored);
  }

  /** Read what there is; several wishes to do so are one. */
  look(): Promise<void> {
    if (this.#looks) return this.#line;
    this.#looks = true;
    return this.#next(async () => {
      this.#looks = false;
      try {
        this.#take(await this.keeper.ask());
      } catch (cause) {
        this.keeper.unread(cause);
      }
      this.isKnown = true;
    });
  }

  /** Seen, and not kept: somebody is still moving it. */
  try(after: string, edit: MapEdit): void {
    this.#tried = { after, edit };
  }

  make(after: string, edit: MapEdit): Promise<void> {
    const made = { after, edit };
    this.#tried = null;
    this.#waiting = withMade(this.#waiting, made);
    return this.#next(() => this.#send(made));
  }

  async #send(made: Made): Promise<void> {
    if (!this.#waiting.includes(made)) return; // it was done again meanwhile
    try {
      this.#take(await this.keeper.send(made));
    } catch (cause) {
      if (this.#waiting.includes(made)) this.keeper.refused(cause);
      void this.look(); // somebody may have no right to it any more
    }
    this.#waiting = this.#waiting.filter((one) => one !== made);
  }

  #take({ edits, mayEdit }: KeptEdits): void {
    this.#stored = edits.map(({ afterMessageId, edit }) => ({ after: afterMessageId, edit }));
    this.mayEdit = mayEdit;
  }

  #next(task: () => Promise<void>): Promise<void> {
    this.#line = this.#line.then(task);
    return this.#line;
  }
}
