/** The inspections that go on and concern the person who is signed in: they look into another's private content, or another
 * looks into theirs. */
import { api, take } from '../api/client';
import type { Inspection } from '../api/types';
import { clock } from '../state/clock.svelte';
import { live } from '../state/live.svelte';
import { Newest } from '../state/newest';
import { session } from '../state/session.svelte';
import { isRunning } from './running';

class Inspections {
  #known = $state.raw<readonly Inspection[]>([]);
  #newest = new Newest();
  running = $derived(this.#known.filter((one) => isRunning(one, session.data?.user.id, clock.now)));

  constructor() {
    // Also with the first word of the stream, when a page opens.
    live.follow(['inspection'], () => void this.#load());
  }

  /** Of persons whose private content is open to this user. */
  nameOf(userId: string | null): string | undefined {
    return this.running.find(({ subjectId }) => subjectId === userId)?.subjectName;
  }

  /** For those who inspect; the person concerned is notified by the server. */
  async end({ id }: Inspection): Promise<void> {
    await take(api.DELETE('/api/inspections/{inspectionId}', { params: { path: { inspectionId: id } } }));
    this.#known = this.#known.filter((one) => one.id !== id);
    live.changed('inspection', 'conversation', 'file');
  }

  async #load(): Promise<void> {
    const isNewest = this.#newest.ask();
    try {
      const { items } = await take(api.GET('/api/inspections'));
      if (isNewest()) this.#known = items.filter(({ endsAt }) => Date.parse(endsAt) > Date.now());
    } catch {
      // The stream says hello again once the server is back, and this runs again.
    }
  }
}

export const inspections = new Inspections();
