/** All roles, for choosing one and for showing its name; fetched when first needed, kept up to date. */
import { api, take } from '../api/client';
import type { Role } from '../api/types';
import { live } from './live.svelte';
import { Newest } from './newest';

class Roles {
  all = $state.raw<Role[]>([]);
  #fetched: Promise<void> | undefined;
  #followed = false;
  #newest = new Newest();

  /** Call where roles are shown. */
  need(): void {
    this.known().catch(() => undefined);
  }

  /** Until they are there: for what cannot go on without. */
  known(): Promise<void> {
    if (!this.#followed) live.follow(['role'], () => void this.#fetch().catch(() => undefined));
    this.#followed = true;
    return (this.#fetched ??= this.#fetch());
  }

  byId(id: string | null | undefined): Role | undefined {
    return this.all.find((role) => role.id === id);
  }

  async #fetch(): Promise<void> {
    const isNewest = this.#newest.ask();
    try {
      const { items } = await take(api.GET('/api/roles', { params: { query: { limit: 200 } } }));
      if (isNewest()) this.all = items;
    } catch (cause) {
      this.#fetched = undefined; // not allowed, or not now: the next use asks again
      throw cause;
    }
  }
}

export const roles = new Roles();
