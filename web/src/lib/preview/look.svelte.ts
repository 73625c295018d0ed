/** What one preview shows and where its reader is. The bar, the panel beside it and the view itself all speak through it. */
import { Problem } from '../api/problem';
import { sameTarget, targetOf, type Place, type Target } from './place';
import { askFind, askReading } from './server';
import type { Hit, Reading, Structure } from './types';
import { viewOf, type View } from './view';

export type Side = 'contents' | 'search' | 'info';

const STEPS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];

/** Words to be marked, where they stand; `page` is the one they are looked for on. */
export interface Passage {
  quote: string;
  target: Target;
  page: number | undefined;
}

export class Look {
  reading = $state.raw<Reading | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** Where the reader is. */
  at = $state.raw<Target>({});
  /** Where they want to go; a new object each time, so that the same wish twice is two wishes. */
  wish = $state.raw<Target>({});
  side = $state<Side | null>(null);
  /** The text is being edited, and not only looked at. */
  editing = $state(false);
  /** 1 is as wide as there is room. */
  zoom = $state(1);
  q = $state('');
  hits = $state.raw<readonly Hit[]>([]);
  more = $state(false);
  finding = $state<'no' | 'asking' | 'done' | 'failed'>('no');
  /** Which of the hits is looked at. */
  chosen = $state(-1);
  /** A new object each time the reader is led there. */
  passage = $state.raw<Passage | null>(null);
  /** Its words could not be found there. */
  missed = $state(false);
  view: View = $derived(this.reading ? viewOf(this.reading) : 'none');
  structure: Structure | null = $derived(this.reading?.structure ?? null);
  /** The reader is where the passage is. */
  isAtPassage: boolean = $derived(this.passage !== null && isNear(this.at, this.passage.target));
  /** What leads to where the reader is, and to the passage as long as that is near. */
  address: Target = $derived({ ...this.at, ...(this.isAtPassage && this.passage?.target), edit: this.editing || undefined });
  #asked: AbortController | undefined;
  #arrived: Passage | undefined;

  constructor(
    readonly place: Place,
    target: Target,
  ) {
    const { quote: _, edit, ...at } = target;
    this.editing = edit === true && !place.inside && place.version === undefined;
    this.wish = target;
    this.at = at;
    this.passage = passageAt(target);
  }

  async load(): Promise<void> {
    this.problem = null;
    this.#asked?.abort();
    const asked = (this.#asked = new AbortController());
    try {
      const found = await askReading(this.place, asked.signal);
      if (this.#asked === asked) this.reading = found;
    } catch (cause) {
      if (this.#asked === asked && !asked.signal.aborted) this.problem = Problem.of(cause);
    }
  }

  leave(): void {
    this.#asked?.abort();
    this.#search?.abort();
  }

  /** Opens the editor. */
  edit(): void {
    this.side = null;
    this.editing = true;
  }

  /** Closes the editor; what was saved in it is read anew. */
  editingDone(): void {
    this.editing = false;
    this.reading = null;
    void this.load();
  }

  go(target: Target): void {
    this.editing = target.edit ?? false;
    this.wish = { ...target };
    if (!target.quote) return;
    this.passage = passageAt(target);
    this.missed = false;
  }

  /** Whether it is to be brought into sight: once, however often it is drawn. */
  arrive(passage: Passage): boolean {
    const isNew = this.#arrived !== passage;
    this.#arrived = passage;
    return isNew;
  }

  /** The view has looked for the passage where it should be. What begins at the end of a page may stand on the next. */
  miss(passage: Passage): void {
    if (this.passage !== passage) return;
    const { target, page } = passage;
    const isTried = page === undefined || page !== target.page || page >= (this.structure?.pages ?? 0);
    if (this.view === 'pages' && !isTried) this.passage = { ...passage, page: page + 1 };
    else this.missed = true;
  }


  /** The view says where it is now. */
  moved(target: Target): void {
    const next = this.q ? { ...target, q: this.q } : target;
    if (!sameTarget(this.at, next)) this.at = next;
  }

  #search: AbortController | undefined;

  /** With a page, only there: for readers who come from a passage and want to see it at once. */
  async find(q: string, page?: number): Promise<void> {
    this.#search?.abort();
    this.q = q;
    this.hits = [];
    this.chosen = -1;
    this.more = false;
    this.finding = q === '' ? 'no' : 'asking';
    this.at = { ...this.at, q: q || undefined };
    if (q === '') return;
    const asked = (this.#search = new AbortController());
    try {
      const found = await askFind(this.place, q, asked.signal, page);
      if (this.#search !== asked) return;
      this.hits = found.hits;
      this.more = found.more;
      this.finding = 'done';
    } catch {
      if (this.#search === asked && !asked.signal.aborted) this.finding = 'failed';
    }
  }

  choose(index: number): void {
    const hit = this.hits[index];
    if (!hit) return;
    this.chosen = index;
    this.go(targetOf(hit.part));
  }

  /** The next hit, or the one before; around the end. */
  step(by: 1 | -1): void {
    const { length } = this.hits;
    if (length > 0) this.choose(this.chosen < 0 ? (by > 0 ? 0 : length - 1) : (this.chosen + by + length) % length);
  }

  /** Hits on one page, with their places in the list. */
  hitsOn(page: number): { hit: Hit; index: number }[] {
    return this.hits.flatMap((hit, index) => (hit.part === `page:${page}` ? [{ hit, index }] : []));
  }

  show(side: Side): void {
    this.side = this.side === side ? null : side;
  }

  magnify(by: 1 | -1): void {
    const next = by > 0 ? STEPS.find((step) => step > this.zoom + 0.01) : STEPS.findLast((step) => step < this.zoom - 0.01);
    this.zoom = next ?? this.zoom;
  }
}

/** What stands at the edge of a page is read with the one beside it; in a text without pages it is always near. */
function isNear(at: Target, target: Target): boolean {
  const isClose = (name: 'page' | 'slide') => Math.abs((at[name] ?? target[name] ?? 0) - (target[name] ?? at[name] ?? 0)) <= 1;
  return isClose('page') && isClose('slide') && (at.sheet ?? target.sheet) === (target.sheet ?? at.sheet);
}

function passageAt(target: Target): Passage | null {
  return target.quote ? { quote: target.quote, target, page: target.page } : null;
}
