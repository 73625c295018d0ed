/** All roles, for choosing one and for showing its name; fetched when first needed, kept up to date. */
import { api, take } from '../api/client';
import type { Role } from '../api/types';
import { live } from './live.svelte';

class Roles {
  all = $state.raw<Role[]>([]);
  #needed = false;

  /** Call where roles are shown. */
  need(): void {
    if (this.#needed) return;
    this.#needed = true;
    void this.#fetch();
    live.follow(['role'], () => void this.#fetch());
  }

  byId(id: string | null | undefined): Role | undefined {
    return this.all.find((role) => role.id === id);
  }

  async #fetch(): Promise<void> {
    try {
      this.all = (await take(api.GET('/api/roles', { params: { query: { limit: 200 } } }))).items;
    } catch {
      this.#needed = false; // not allowed, or not now: the next use asks again
    }
  }
}

export const roles = new Roles();
