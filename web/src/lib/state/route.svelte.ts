/** The page that is open. History is the browser's; `match` says what a path means. */
import { match, type Route } from '../router';

class Location {
  path = $state(location.pathname);
  query = $state(location.search);
  route: Route = $derived(match(this.path, this.query));
  /** Which entry of the browser's history is open; it survives a reload with the entry. */
  #at = placeInHistory();
  #keepers: (() => boolean)[] = [];
  #closeLayer: (() => void) | undefined;

  constructor() {
    addEventListener('popstate', () => this.#popped());
  }

  /** Guards Back and Forward: while `keeper` returns true, because input would be lost, the page stays. Returns the function that
   * removes the guard. */
  keep(keeper: () => boolean): () => void {
    this.#keepers.push(keeper);
    return () => (this.#keepers = this.#keepers.filter((one) => one !== keeper));
  }

  /** Something lies over the page, such as a drawer: Back closes it and stays. Returns what to call when it was closed otherwise. */
  layer(close: () => void): () => void {
    this.#closeLayer = close;
    if (!isLayer()) history.pushState({ at: (this.#at += 1), layer: true }, '');
    return () => {
      if (this.#closeLayer === close) this.#closeLayer = undefined;
      // Later: a link in it that was followed takes its place in the history.
      setTimeout(() => {
        if (isLayer() && !this.#closeLayer) history.back();
      });
    };
  }

  go(path: string, { replace: asked = false } = {}): void {
    if (path === location.pathname + location.search) return;
    const replace = asked || isLayer();
    if (!replace) this.#at += 1;
    history[replace ? 'replaceState' : 'pushState']({ at: this.#at }, '', path);
    this.#read();
    if (!asked) scrollTo(0, 0);
  }

  /** The browser has left already: staying means to go back where one was. */
  #popped(): void {
    const at = placeInHistory();
    if (at !== this.#at && this.#keepers.some((keeps) => keeps())) return history.go(this.#at - at);
    this.#at = at;
    const close = this.#closeLayer;
    this.#closeLayer = undefined;
    close?.();
    this.#read();
  }

  #read(): void {
    this.path = location.pathname;
    this.query = location.search;
  }
}

function isLayer(): boolean {
  return (history.state as { layer?: boolean } | null)?.layer === true;
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
