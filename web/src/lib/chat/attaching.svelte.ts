/** The files of a message being written, as far as the first page has to know of them: everything else is fetched with the
 * first file, or the first `@`. */
import { later } from '../i18n/index.svelte';
import { sayProblem } from '../state/say';
import type { Attached } from './attach/attached.svelte';
import { draftFiles } from './drafts';
import type { FileRef } from './turns';

const load = later(() => import('./attach/parts'));

export class Attaching {
  parts = $state.raw<Awaited<ReturnType<typeof load>>>();
  list = $state.raw<Attached>();
  /** How much is being fetched or put to the list. */
  #coming = $state(0);

  constructor(
    readonly place: string,
    readonly workspaceId: string,
    /** What is attached when there is no draft. */
    readonly initial: readonly FileRef[],
  ) {
    if (draftFiles(place)?.length || initial.length > 0) this.need();
  }

  /** Whether the message can be sent, see `Attached`: what was chosen a moment ago belongs to it. */
  get status(): Attached['status'] {
    return this.#coming > 0 ? 'busy' : (this.list?.status ?? 'ready');
  }

  /** A failure to fetch it is not shown: the next letter tries again. */
  need(): void {
    void this.#fetched(() => {}).catch(() => {});
  }

  add(files: Iterable<File>): void {
    const added = [...files]; // a file input empties its list
    void this.#fetched(() => this.list?.add(added)).catch(sayProblem);
  }

  paste(items: DataTransferItemList): void {
    const files = Array.from(items, (item) => item.getAsFile()); // readable only while the event lasts
    void this.#fetched(() => this.parts?.paste(files, (named) => this.list?.add(named))).catch(sayProblem);
  }

  async #fetched(then: () => Promise<void> | void): Promise<void> {
    this.#coming += 1;
    try {
      this.parts = await load();
      this.list = this.parts.attachedAt(this);
      await then();
    } finally {
      this.#coming -= 1;
    }
  }
}
