/** Whose file it is, by name: the members of the workspace on the screen, as far as one may know them. */
import { api, take } from '../api/client';
import { t } from '../i18n/index.svelte';
import { session } from '../state/session.svelte';

class People {
  #names = $state.raw<ReadonlyMap<string, string>>(new Map());
  #instanceId = '';

  use(instanceId: string): void {
    if (this.#instanceId === instanceId || !session.may('seeMembers')) return;
    this.#instanceId = instanceId;
    const query = { limit: 200 };
    take(api.GET('/api/instances/{instanceId}/members', { params: { path: { instanceId }, query } })).then(
      ({ items }) => (this.#names = new Map(items.map(({ user }) => [user.id, user.displayName]))),
      () => (this.#instanceId = ''), // names are an extra: asked for again with the next page
    );
  }

  /** Empty for somebody who is not a member, or unknown to us. */
  name(userId: string | null): string {
    if (userId === session.data?.user.id) return t('files.me');
    return this.#names.get(userId ?? '') ?? '';
  }
}

export const people = new People();
