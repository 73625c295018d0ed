/** Every file that can be searched from a workspace: its own and what everybody shares, each with how far it has come.
 *
 * All at once, because no single list of the server can be sorted by what the index says of a file. There is an end to that:
 * of very many files only the newest are listed, and a search by name reaches the others. */
import { Problem } from '../api/problem';
import { askInventory, type Inventoried } from './server';
import type { IndexedFile } from './types';

type Ask = (instanceId: string, q: string, signal: AbortSignal) => Promise<Inventoried>;

export class Inventory {
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  files = $state.raw<readonly IndexedFile[]>([]);
  /** There are more than are listed. */
  cut = $state(false);
  q = $state('');
  #ask: Ask;
  #asked: AbortController | undefined;
  #again = false;

  constructor(
    readonly instanceId: string,
    q = '',
    ask: Ask = askInventory,
  ) {
    this.q = q;
    this.#ask = ask;
  }

  /** From the start, showing that it loads. */
  load(): Promise<void> {
    this.status = 'loading';
    return this.#fetch();
  }

  search(q: string): Promise<void> {
    if (q === this.q) return Promise.resolve();
    this.q = q;
    return this.#fetch();
  }

  /** Without disturbing what is shown. While an answer is on its way, many changes are one reason to look again. */
  async refresh(): Promise<void> {
    if (this.#asked) this.#again = true;
    else await (this.status === 'failed' ? this.load() : this.#fetch());
  }

  leave(): void {
    this.#asked?.abort();
    this.#asked = undefined;
    this.#again = false;
  }

  async #fetch(): Promise<void> {
    this.leave();
    const asked = (this.#asked = new AbortController());
    try {
      const { files, cut } = await this.#ask(this.instanceId, this.q, asked.signal);
      if (this.#asked !== asked) return;
      this.files = files;
      this.cut = cut;
      this.problem = null;
      this.status = 'ready';
    } catch (cause) {
      if (this.#asked !== asked) return;
      this.problem = Problem.of(cause);
      this.status = 'failed';
    }
    this.#asked = undefined;
    if (this.#again) await this.#fetch();
  }
}
