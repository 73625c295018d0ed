/** The page that is open. History is the browser's; `match` says what a path means. */
import { match, type Route } from '../router';

class Location {
  path = $state(location.pathname);
  query = $state(location.search);
  route: Route = $derived(match(this.path, this.query));

  constructor() {
    addEventListener('popstate', () => this.#read());
  }

  go(path: string, { replace = false } = {}): void {
    if (path === location.pathname + location.search) return;
    history[replace ? 'replaceState' : 'pushState'](null, '', path);
    this.#read();
    if (!replace) scrollTo(0, 0);
  }

  #read(): void {
    this.path = location.pathname;
    this.query = location.search;
  }
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
