/** Keeps a growing text at its end while the reader is there, and leaves them alone once they have scrolled up. */

const NEAR = 32;

export class Stick {
  /** Whether the end is followed. */
  follows = $state(true);
  #scroller: HTMLElement | null = null;

  /** For the element that grows, inside the one that scrolls. */
  attach = (content: HTMLElement): (() => void) => {
    const scroller = content.closest<HTMLElement>('main, aside, dialog');
    if (!scroller) return () => {};
    this.#scroller = scroller;
    let top = scroller.scrollTop;
    const scrolled = () => {
      const rest = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
      // However little one scrolls up: what is being read must not move.
      if (scroller.scrollTop < top - 1) this.follows = rest <= 1;
      else if (rest <= NEAR) this.follows = true;
      top = scroller.scrollTop;
    };
    const grown = new ResizeObserver(() => {
      if (this.follows) this.#toEnd();
    });
    scroller.addEventListener('scroll', scrolled, { passive: true });
    grown.observe(content);
    grown.observe(scroller);
    return () => {
      scroller.removeEventListener('scroll', scrolled);
      grown.disconnect();
      this.#scroller = null;
    };
  };

  jump(): void {
    this.follows = true;
    this.#toEnd();
  }

  #toEnd(): void {
    this.#scroller?.scrollTo({ top: this.#scroller.scrollHeight, behavior: 'instant' });
  }
}
