/** A stylesheet that could not be fetched is fetched again with the next try.
 *
 * Vite remembers every stylesheet that a lazily loaded part has asked for, also those that never came: without this, a part
 * that is tried again after the network was away has no styles until the page is loaded anew.
 */
import type { Plugin } from 'vite';

const LOADED = 'link.addEventListener("load", res);';
const FORGET = 'link.addEventListener("error", () => { delete seen[dep]; link.remove(); });';

export function retryStyles(): Plugin {
  return {
    name: 'retry-styles',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('vite/preload-helper')) return undefined;
      if (!code.includes(LOADED)) this.error('Vite loads stylesheets in another way now: see plugins/retry-styles.ts');
      return { code: code.replace(LOADED, LOADED + FORGET), map: null };
    },
  };
}
