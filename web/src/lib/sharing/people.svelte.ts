/** People by name: the members of the workspace on the screen, and others who are asked for, as far as one may know them. */
import { api, take } from '../api/client';
import { t } from '../i18n/index.svelte';
import { inspections } from '../privacy/inspections.svelte';
import { session } from '../state/session.svelte';

type Named = { id: string; displayName: string };

class People {
  #names = $state.raw<ReadonlyMap<string, string>>(new Map());
  #instanceId = '';
  #asked: Promise<void> = Promise.resolve();

  use(instanceId: string): void {
    if (this.#instanceId === instanceId || !session.may('seeMembers')) return;
    this.#instanceId = instanceId;
    const query = { limit: 200 };
    this.#asked = take(api.GET('/api/instances/{instanceId}/members', { params: { path: { instanceId }, query } })).then(
      ({ items }) => this.#learn(items.map(({ user }) => user)),
      () => void (this.#instanceId = ''), // names are an extra: asked for again with the next page
    );
  }

  /** Also these, who may not be among the first members. */
  async know(userIds: readonly string[]): Promise<void> {
    await this.#asked;
    const unknown = session.may('seePeople') ? userIds.filter((id) => this.name(id) === '') : [];
    const found = await Promise.allSettled(unknown.map((userId) => take(api.GET('/api/users/{userId}', { params: { path: { userId } } }))));
    this.#learn(found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  }

  /** Empty for a person who is not a member, or unknown. */
  name(userId: string | null): string {
    return userId === session.data?.user.id ? t('files.me') : this.fullName(userId);
  }

  /** The same within a sentence, where the user has a name, too. */
  fullName(userId: string | null): string {
    const user = session.data?.user;
    if (user && userId === user.id) return user.displayName;
    return this.#names.get(userId ?? '') ?? inspections.nameOf(userId) ?? '';
  }

  #learn(people: readonly Named[]): void {
    this.#names = new Map([...this.#names, ...people.map(({ id, displayName }): [string, string] => [id, displayName])]);
  }
}

export const people = new People();
