/** Which side panes are open. Wide screens dock them and remember it on the device; narrow ones show them as sheets. */
import { recall, remember } from '../device';

export type Side = 'left' | 'right';

class Panes {
  /** Below these widths a pane no longer has a place beside the page. */
  #fits = { left: matchMedia('(min-width: 768px)'), right: matchMedia('(min-width: 1180px)') };
  #open = $state({ left: recall('pane.left') !== 'closed', right: recall('pane.right') !== 'closed' });
  #wide = $state({ left: this.#fits.left.matches, right: this.#fits.right.matches });
  /** The pane shown as a sheet, if any. */
  sheet = $state<Side | null>(null);
  /** Whether the page has something to show on the right. */
  hasRight = $state(false);

  constructor() {
    for (const side of ['left', 'right'] as const) {
      this.#fits[side].addEventListener('change', ({ matches }) => {
        this.#wide[side] = matches;
        if (this.sheet === side) this.sheet = null;
      });
    }
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
      this.#open[side] = recall(`pane.${side}`) !== 'closed';
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
    remember(`pane.${side}`, this.#open[side] ? 'open' : 'closed');
  }
}

export const panes = new Panes();
