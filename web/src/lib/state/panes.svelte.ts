/** Which side panes are open. Wide screens dock them and remember it on the device; narrow ones show them as sheets. The right
 * one is closed until it is asked for, and in a conversation every time anew: there it takes room from what is worked on. */
import { untrack } from 'svelte';
import { recall, remember } from '../device';

export type Side = 'left' | 'right';

class Panes {
  /** Below these widths a pane no longer has a place beside the page. */
  #fits = { left: matchMedia('(min-width: 768px)'), right: matchMedia('(min-width: 1180px)') };
  #open = $state({ left: recall('pane.left') !== 'closed', right: recall('pane.right') === 'open' });
  #wide = $state({ left: this.#fits.left.matches, right: this.#fits.right.matches });
  /** The pane shown as a sheet, if any. */
  sheet = $state<Side | null>(null);
  /** Whether the page has something to show on the right. */
  hasRight = $state(false);
  #working = false;

  constructor() {
    for (const side of ['left', 'right'] as const) {
      this.#fits[side].addEventListener('change', ({ matches }) => {
        this.#wide[side] = matches;
        if (this.sheet === side) this.sheet = null;
      });
    }
  }

  /** Whether the page is one to work on, where nothing but that is open by itself. */
  work(working: boolean): void {
    this.#working = working;
    untrack(() => (this.#open.right = this.#remembered('right')));
  }

  /** There is room for it beside the page. */
  fits(side: Side): boolean {
    return this.#wide[side];
  }

  docked(side: Side): boolean {
    return this.#wide[side] && this.#open[side] && (side === 'left' || this.hasRight);
  }

  shown(side: Side): boolean {
    return this.docked(side) || this.sheet === side;
  }

  /** Something there is to be seen now; what the device remembers stays as it is. Returns the way back. */
  reveal(side: Side): () => void {
    if (this.#wide[side]) this.#open[side] = true;
    else this.sheet = side;
    return () => {
      this.#open[side] = this.#remembered(side);
      if (this.sheet === side) this.sheet = null;
    };
  }

  toggle(side: Side): void {
    if (side === 'right' && !this.hasRight) return;
    if (!this.#wide[side]) {
      this.sheet = this.sheet === side ? null : side;
      return;
    }
    this.#open[side] = !this.#open[side];
    if (side === 'left' || !this.#working) remember(`pane.${side}`, this.#open[side] ? 'open' : 'closed');
  }

  #remembered(side: Side): boolean {
    const was = recall(`pane.${side}`);
    return side === 'left' ? was !== 'closed' : was === 'open' && !this.#working;
  }
}

export const panes = new Panes();
