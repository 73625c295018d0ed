/** Takes what is ordered to the map, strictly one after the other, each when the one before is done.
 *
 * It is told the whole log each time: what goes on from what it knows is carried out, with motion; anything else is another map,
 * drawn at once. So nothing is done twice, and nothing of a conversation that was left is done at all.
 */
import { applied, EMPTY, folded, type Entry, type MapState } from './state';

export interface Drawing {
  /** Done when it is on the screen. Without an entry everything is new, and nothing moves. */
  draw(state: MapState, entry?: Entry, moves?: boolean): Promise<void> | void;
}

interface Listener {
  /** The map looks like this now. */
  drawn(state: MapState): void;
  /** This could not be done; the next goes on. Without an entry: the whole map. */
  failed(entry: Entry | undefined): void;
}

export class Bus {
  #key = '';
  #heard: readonly Entry[] = [];
  #state = EMPTY;
  #queue: Entry[] = [];
  #working = false;
  /** Which map this is; what belongs to an earlier one ends where it is. */
  #map = 0;

  constructor(
    readonly drawing: Drawing,
    readonly listener: Listener,
    /** Whether the reader wants nothing to move. */
    readonly still: () => boolean = () => false,
  ) {}

  /** Everything ordered so far in the conversation `key`. */
  follow(key: string, log: readonly Entry[]): Promise<void> {
    const goesOn = key === this.#key && this.#heard.length <= log.length && this.#heard.every((entry, index) => isSame(entry, log[index]!));
    const fresh = goesOn ? log.slice(this.#heard.length) : [];
    const begins = this.#map === 0 || !goesOn;
    this.#key = key;
    this.#heard = log;
    if (begins) return this.#restart(folded(log));
    this.#queue.push(...fresh);
    return this.#work();
  }

  /** The reader has left. */
  stop(): void {
    this.#map += 1;
    this.#queue = [];
  }

  async #restart(state: MapState): Promise<void> {
    this.#map += 1;
    this.#queue = [];
    this.#working = false;
    this.#state = state;
    await this.#draw(state, undefined, this.#map);
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    const map = this.#map;
    for (let entry = this.#queue.shift(); entry; entry = this.#queue.shift()) {
      this.#state = applied(this.#state, entry);
      await this.#draw(this.#state, entry, map);
      if (map !== this.#map) return;
    }
    this.#working = false;
  }

  async #draw(state: MapState, entry: Entry | undefined, map: number): Promise<void> {
    try {
      await this.drawing.draw(state, entry, entry !== undefined && !this.still());
    } catch {
      if (map === this.#map) this.listener.failed(entry);
    }
    if (map === this.#map) this.listener.drawn(state);
  }
}

function isSame(one: Entry, other: Entry): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
