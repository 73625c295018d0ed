/** What a question offers on the map: its answers that lie somewhere, and which of them is highlighted. The card of the question
 * and the map share it. */
import type { Option } from '../run/events';
import { mapActionsIn } from './actions';
import { folded, type Marker } from './state';

export interface Offer {
  option: string;
  /** As the card counts them. */
  number: number;
  markers: readonly Marker[];
}

/** Pure: only those that lie somewhere. */
export function offersIn(options: readonly Option[]): Offer[] {
  return options
    .map(({ id, actions = [] }, index) => ({ option: id, number: index + 1, markers: folded(mapActionsIn(actions)).markers }))
    .filter(({ markers }) => markers.length > 0);
}

class Offers {
  list = $state.raw<readonly Offer[]>([]);
  looked = $state<string | null>(null);
  #choose: ((option: string) => void) | undefined;

  /** A question is on the screen; returns the way to take its answers off the map. */
  make(options: readonly Option[], choose: ((option: string) => void) | undefined): () => void {
    const list = offersIn(options);
    this.list = list;
    this.#choose = choose;
    return () => {
      if (this.list !== list) return;
      this.list = [];
      this.looked = null;
      this.#choose = undefined;
    };
  }

  look(option: string): void {
    this.looked = option;
  }

  leave(option: string): void {
    if (this.looked === option) this.looked = null;
  }

  choose(option: string): void {
    this.#choose?.(option);
  }
}

export const offers = new Offers();
