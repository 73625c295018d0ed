/** What was found of some kinds, asked for while a person types. Names are asked for after a short pause; contents after a longer
 * one, since such a question may cost something. */
import { askSearch, type SearchGap, type SearchHit, type SearchKind } from './server';
import { stillFits } from './stillFits';

export const NAMES_PAUSE_MS = 90;
export const CONTENTS_PAUSE_MS = 300;
const LONGEST = 200; // characters the server takes

export class HitList {
  hits = $state.raw<readonly SearchHit[]>([]);
  gaps = $state.raw<readonly SearchGap[]>([]);
  busy = $state(false);
  failed = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked: AbortController | undefined;

  constructor(
    readonly instanceId: string,
    readonly pause: number,
  ) {}

  /** Until the answer comes, what still fits stays. */
  ask(text: string, kinds: readonly SearchKind[], limit: number): void {
    this.leave();
    const q = text.trim().slice(0, LONGEST);
    this.failed = false;
    this.hits = q ? this.hits.filter((hit) => kinds.includes(hit.kind) && stillFits(hit, q)) : [];
    this.gaps = [];
    this.busy = q !== '' && kinds.length > 0;
    if (this.busy) this.#timer = setTimeout(() => void this.#fetch(q, kinds, limit), this.pause);
  }

  leave(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#asked = undefined;
    this.busy = false;
  }

  async #fetch(q: string, kinds: readonly SearchKind[], limit: number): Promise<void> {
    const asked = (this.#asked = new AbortController());
    try {
      const { items, gaps } = await askSearch(this.instanceId, q, kinds, limit, asked.signal);
      if (this.#asked !== asked) return;
      this.hits = items;
      this.gaps = gaps;
    } catch {
      if (this.#asked !== asked) return;
      this.hits = [];
      this.failed = true;
    }
    this.busy = false;
  }
}
