/** The page that is open. History is the browser's; `match` says what a path means. */
import { match, type Route } from '../router';

class Location {
  path = $state(location.pathname);
  query = $state(location.search);
  route: Route = $derived(match(this.path, this.query));
  /** Which entry of the browser's history is open; it survives a reload with the entry. */
  #at = placeInHistory();
  #keepers: (() => boolean)[] = [];
  /** What closes each of the things that lie over the page, the topmost last. Each has an entry of its own in the history. */
  #layers: (() => void)[] = [];
  /** The way back to the entry of a layer that is still open, or of the page, is under way. */
  #receding = false;
  #next: (() => void) | undefined;

  constructor() {
    addEventListener('popstate', () => this.#popped());
    this.#recede();
  }

  /** Guards Back and Forward: while `keeper` returns true, because input would be lost, the page stays. Returns the function that
   * removes the guard. */
  keep(keeper: () => boolean): () => void {
    this.#keepers.push(keeper);
    return () => (this.#keepers = this.#keepers.filter((one) => one !== keeper));
  }

  /** Something lies over the page, such as a drawer: Back closes it and stays. Returns what to call when it was closed otherwise. */
  layer(close: () => void): () => void {
    this.#layers.push(close);
    this.#deepen();
    return () => {
      this.#layers = this.#layers.filter((one) => one !== close);
      this.#recede();
    };
  }

  go(path: string, { replace: asked = false } = {}): void {
    if (this.#receding) {
      this.#next = () => this.go(path, { replace: asked });
      return;
    }
    if (path === location.pathname + location.search) return;
    const replace = asked || depth() > 0;
    if (!replace) this.#at += 1;
    history[replace ? 'replaceState' : 'pushState']({ at: this.#at, layer: asked ? depth() : 0 }, '', path);
    this.#read();
    if (!asked) scrollTo(0, 0);
  }

  /** The browser has left already: staying means to go back where one was. */
  #popped(): void {
    const at = placeInHistory();
    const isOwn = this.#receding;
    this.#receding = false;
    if (!isOwn && at !== this.#at && this.#keepers.some((keeps) => keeps())) return history.go(this.#at - at);
    this.#at = at;
    if (isOwn) this.#deepen();
    else while (this.#layers.length > depth()) this.#layers.pop()!();
    this.#recede();
    this.#read();
    const next = this.#next;
    this.#next = undefined;
    next?.();
  }

  /** An entry for each layer that has none. */
  #deepen(): void {
    while (!this.#receding && depth() < this.#layers.length) history.pushState({ at: (this.#at += 1), layer: depth() + 1 }, '');
  }

  /** Leaves the entries of layers that are closed. Later: a link in one of them that was followed takes its place. */
  #recede(): void {
    setTimeout(() => {
      const surplus = depth() - this.#layers.length;
      if (surplus <= 0 || this.#receding) return;
      this.#receding = true;
      history.go(-surplus);
    });
  }

  #read(): void {
    this.path = location.pathname;
    this.query = location.search;
  }
}

/** How many layers the open entry of the history stands for. */
function depth(): number {
  return (history.state as { layer?: number } | null)?.layer ?? 0;
}

function placeInHistory(): number {
  return (history.state as { at?: number } | null)?.at ?? 0;
}

export const page = new Location();

/** For a click listener on the document: links inside the app change the page without loading it. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.hash) return;
  if (/^\/(api|assets)\//.test(url.pathname)) return;
  event.preventDefault();
  page.go(url.pathname + url.search);
}
