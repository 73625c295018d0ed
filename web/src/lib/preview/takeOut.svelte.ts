/** Members of an archive made files of the workspace: a few at a time, so that it can be seen how far it is, and ended. */
import { Problem } from '../api/problem';
import type { Place } from './place';
import { takeMembersOut } from './server';

/** The server takes a hundred at once; fewer show more often how far it is. */
const AT_ONCE = 25;

export class TakeOut {
  status = $state<'ready' | 'busy' | 'done' | 'failed' | 'ended'>('ready');
  done = $state(0);
  problem = $state.raw<Problem | null>(null);
  #asked: AbortController | undefined;

  constructor(
    private readonly place: Place,
    readonly paths: readonly string[],
    private readonly take = takeMembersOut,
  ) {}

  /** From where it stopped, if it was tried before. */
  async run(folderId: string | undefined): Promise<void> {
    if (this.status === 'busy') return;
    const asked = (this.#asked = new AbortController());
    this.status = 'busy';
    this.problem = null;
    try {
      while (this.done < this.paths.length) {
        const next = this.paths.slice(this.done, this.done + AT_ONCE);
        await this.take(this.place, next, folderId, asked.signal);
        if (asked.signal.aborted) return;
        this.done += next.length;
      }
      this.status = 'done';
    } catch (cause) {
      if (asked.signal.aborted) return;
      this.problem = Problem.of(cause);
      this.status = 'failed';
    }
  }

  /** What is out stays out. */
  cancel(): void {
    if (this.status === 'busy') this.status = 'ended';
    this.#asked?.abort();
  }
}
