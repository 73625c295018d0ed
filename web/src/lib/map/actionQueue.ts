/** Applies actions and edits to the map, strictly one after the other, each when the one before is done.
 *
 * It gets the whole log each time: new entries at its end are applied, with motion; any other log is another map, drawn at once.
 * So nothing is applied twice, and nothing of a conversation that was left is applied at all.
 */
import { applied, EMPTY, folded, type Entry, type MapState } from './state';

export interface Drawing {
  /** Done when it is on the screen. Without an entry everything is new, and nothing moves. */
  draw(state: MapState, entry?: Entry, moves?: boolean): Promise<void> | void;
}

interface Listener {
  /** The map looks like this now. */
  drawn(state: MapState): void;
  /** This could not be drawn; the next goes on. Without an entry: the whole map. */
  failed(entry: Entry | undefined): void;
}

export class ActionQueue {
  #key = '';
  #log: readonly Entry[] = [];
  #state = EMPTY;
  #pending: Entry[] = [];
  #working = false;
  /** Which map this is; what belongs to an earlier one ends where it is. */
  #map = 0;

  constructor(
    readonly drawing: Drawing,
    readonly listener: Listener,
    /** Whether the reader wants nothing to move. */
    readonly still: () => boolean = () => false,
  ) {}

  /** `log`: all entries so far in the conversation `key`. */
  follow(key: string, log: readonly Entry[]): Promise<void> {
    const goesOn = key === this.#key && this.#log.length <= log.length && this.#log.every((entry, index) => isSame(entry, log[index]!));
    const fresh = goesOn ? log.slice(this.#log.length) : [];
    const begins = this.#map === 0 || !goesOn;
    this.#key = key;
    this.#log = log;
    if (begins) return this.#restart(folded(log));
    this.#pending.push(...fresh);
    return this.#work();
  }

  /** The reader has left. */
  stop(): void {
    this.#map += 1;
    this.#pending = [];
  }

  async #restart(state: MapState): Promise<void> {
    this.#map += 1;
    this.#pending = [];
    this.#working = false;
    this.#state = state;
    await this.#draw(state, undefined, this.#map);
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    const map = this.#map;
    for (let entry = this.#pending.shift(); entry; entry = this.#pending.shift()) {
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
