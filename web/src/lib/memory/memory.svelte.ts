/** What a conversation remembers, kept up to date. What is shown stays until something newer is there. */
import { Problem } from '../api/problem';
import { askMemory, type Place } from './server';
import type { Memory } from './types';

type Ask = (place: Place, signal: AbortSignal) => Promise<Memory>;

export class Remembered {
  known = $state.raw<Memory | null>(null);
  problem = $state.raw<Problem | null>(null);
  #asked: AbortController | undefined;
  #again = false;

  constructor(
    readonly place: Place,
    readonly ask: Ask = askMemory,
  ) {}

  /** While an answer is on its way, many changes are one reason to look again. */
  async look(): Promise<void> {
    if (this.#asked) {
      this.#again = true;
      return;
    }
    const asked = (this.#asked = new AbortController());
    try {
      const found = await this.ask(this.place, asked.signal);
      if (this.#asked !== asked) return;
      this.known = found;
      this.problem = null;
    } catch (cause) {
      if (this.#asked !== asked) return;
      const problem = Problem.of(cause);
      // Without a network the last thing known is still worth reading; the stream will say hello again.
      if (this.known === null || problem.code !== 'network') this.problem = problem;
    }
    this.#asked = undefined;
    if (!this.#again) return;
    this.#again = false;
    await this.look();
  }

  leave(): void {
    this.#asked?.abort();
    this.#asked = undefined;
    this.#again = false;
  }
}
