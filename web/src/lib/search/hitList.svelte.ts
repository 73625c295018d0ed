/** What was found of some kinds, asked for while a person types. Names are asked for after a short pause; contents after a longer
 * one, since such a question may cost something. */
import { askSearch, type SearchGap, type SearchHit, type SearchKind } from './server';
import { stillFits } from './stillFits';

export const NAMES_PAUSE_MS = 90;
export const CONTENTS_PAUSE_MS = 300;
const TRIES = 3; // for a kind that was slow: what it needs may have been loaded meanwhile
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

  /** Until the answer comes, what still fits stays. Without words nothing is found, unless the newest are wanted then. */
  ask(text: string, kinds: readonly SearchKind[], limit: number, newest = false): void {
    this.leave();
    const q = text.trim().slice(0, LONGEST);
    this.failed = false;
    this.hits = q || newest ? this.hits.filter((hit) => kinds.includes(hit.kind) && stillFits(hit, q)) : [];
    this.gaps = [];
    this.busy = (q !== '' || newest) && kinds.length > 0;
    if (this.busy) this.#timer = setTimeout(() => void this.#fetch(q, kinds, limit), this.pause);
  }

  leave(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#asked = undefined;
    this.busy = false;
  }

  async #fetch(q: string, kinds: readonly SearchKind[], limit: number, earlier: readonly SearchHit[] = [], left = TRIES - 1): Promise<void> {
    const asked = (this.#asked = new AbortController());
    try {
      const { items, gaps } = await askSearch(this.instanceId, q, kinds, limit, asked.signal);
      if (this.#asked !== asked) return;
      this.hits = [...earlier, ...items];
      const slow = gaps.filter(({ reason }) => reason === 'slow').map(({ kind }) => kind);
      if (slow.length > 0 && left > 0) return await this.#fetch(q, slow, limit, this.hits, left - 1);
      this.gaps = gaps;
    } catch {
      if (this.#asked !== asked) return;
      this.hits = earlier;
      this.failed = true;
    }
    this.busy = false;
  }
}
