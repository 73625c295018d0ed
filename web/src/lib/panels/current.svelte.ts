/** The workspace on the screen: the one in the address, else the one looked at last, else the default. */
import { page } from '../state/route.svelte';
import { session } from '../state/session.svelte';

class Current {
  #last = $state('');
  workspace = $derived.by(() => {
    const route = page.route;
    const slug = 'slug' in route ? route.slug : this.#last;
    return session.workspaces.find((workspace) => workspace.slug === slug) ?? ('slug' in route ? undefined : session.home);
  });

  visited(slug: string): void {
    this.#last = slug;
  }
}

export const current = new Current();
