/** The token of a one-time link, taken out of the address and the history before anything else happens. */

let token = '';

export function takeLinkToken(): string {
  if (location.pathname === '/enter' && location.hash) {
    token = decodeURIComponent(location.hash.slice(1));
    history.replaceState(null, '', location.pathname);
  }
  return token;
}
