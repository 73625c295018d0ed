/** The list behind `@` and `/`: asks when there is something new to ask, keeps what it had until the answer is there, and stays closed
 * once it was closed, until the next of them. */
import { isWritten, type Mention, type Suggestion } from './mention';

export type Ask = (mention: Mention, signal: AbortSignal) => Promise<readonly Suggestion[]>;

const WAIT_MS = 120;

export class Suggestions {
  items = $state.raw<readonly Suggestion[]>([]);
  /** The one that Enter takes; -1 for none. */
  active = $state(-1);
  /** What they are suggestions for. */
  mention: Mention | undefined;
  #asked: string | undefined;
  #closedAt: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop = new AbortController();

  constructor(private readonly ask: Ask) {}

  get current(): Suggestion | undefined {
    return this.items[this.active];
  }

  /** The text or the caret has changed; undefined when the caret is not at a mention. */
  look(mention: Mention | undefined): void {
    if (!mention) {
      this.#empty();
      this.#closedAt = undefined;
      return;
    }
    if (mention.start === this.#closedAt) return;
    this.#closedAt = undefined;
    const isFirst = this.#asked === undefined || this.mention?.start !== mention.start;
    this.mention = mention;
    const key = `${mention.sign}${mention.query}`;
    if (key === this.#asked) return;
    this.#forget();
    this.#asked = key;
    this.#timer = setTimeout(() => void this.#fetch(mention), isFirst ? 0 : WAIT_MS);
  }

  move(by: 1 | -1): void {
    const count = this.items.length;
    if (count > 0) this.active = this.active < 0 ? (by > 0 ? 0 : count - 1) : (this.active + by + count) % count;
  }

  /** Until the next mention. */
  close(): void {
    this.#closedAt = this.mention?.start;
    this.#empty();
  }

  async #fetch(mention: Mention): Promise<void> {
    const { signal } = this.#stop;
    // A list that could not be fetched is not reported while a message is written; the next letter asks again.
    const found = await this.ask(mention, signal).catch(() => []);
    if (signal.aborted) return;
    this.items = found;
    // Enter sends a call whose parameters were not asked for.
    const isOffered = mention.sign !== '=' && found[0] !== undefined && !isWritten(mention, found[0]);
    this.active = isOffered ? 0 : -1;
  }

  #empty(): void {
    this.#forget();
    this.items = [];
    this.active = -1;
    this.mention = undefined;
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#asked = undefined;
  }
}
