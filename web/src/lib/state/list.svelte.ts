/** One list on the screen: searched, sorted, loaded page by page, refreshed quietly when the server says so. */
import { Problem } from '../api/problem';
import type { ListQuery, Page } from '../api/types';

export type Fetch<Item> = (query: ListQuery, signal: AbortSignal) => Promise<Page<Item>>;

/** For lists that the server tells as a whole. */
export const wholePage = <Item>(items: Item[]): Page<Item> => ({ items, total: items.length, nextCursor: null });

const LIMIT = 50;
const MOST = 200;

export class List<Item> {
  items = $state.raw<Item[]>([]);
  total = $state(0);
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  /** More is being fetched, at the end of what is there. */
  growing = $state(false);
  q = $state('');
  sort = $state('');
  order = $state<'asc' | 'desc'>('asc');
  #next = $state<string | null>(null);
  #fetch: Fetch<Item>;
  #limit: number;
  #asked: AbortController | undefined;

  constructor(fetch: Fetch<Item>, options: { sort?: string; order?: 'asc' | 'desc'; limit?: number } = {}) {
    this.#fetch = fetch;
    this.sort = options.sort ?? '';
    this.order = options.order ?? 'asc';
    this.#limit = options.limit ?? LIMIT;
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** From the start, showing that it loads. */
  load(): Promise<void> {
    this.status = 'loading';
    return this.#replace(this.#limit);
  }

  /** From the start, as many as are on the screen, without disturbing what is shown. */
  refresh(): Promise<void> {
    if (this.status === 'failed') return this.load();
    return this.#replace(Math.min(MOST, Math.max(this.#limit, this.items.length)));
  }

  search(q: string): Promise<void> {
    if (q === this.q) return Promise.resolve();
    this.q = q;
    return this.#replace(this.#limit);
  }

  /** Sort by this; again: the other way round. */
  sortBy(sort: string): Promise<void> {
    this.order = this.sort === sort && this.order === 'asc' ? 'desc' : 'asc';
    this.sort = sort;
    return this.#replace(this.#limit);
  }

  /** It is shown no longer: an answer on its way is not waited for. */
  leave(): void {
    this.#asked?.abort();
    this.#asked = undefined;
  }

  async more(): Promise<void> {
    if (this.#next === null || this.growing) return;
    const asked = this.#ask();
    this.growing = true;
    try {
      const page = await this.#fetch({ ...this.#query(this.#limit), cursor: this.#next }, asked.signal);
      if (this.#asked !== asked) return;
      this.items = [...this.items, ...page.items];
      this.#take(page);
    } catch (cause) {
      this.#fail(cause, asked);
    } finally {
      this.growing = false;
    }
  }

  async #replace(limit: number): Promise<void> {
    const asked = this.#ask();
    try {
      const page = await this.#fetch(this.#query(limit), asked.signal);
      if (this.#asked !== asked) return;
      this.items = page.items;
      this.#take(page);
    } catch (cause) {
      this.#fail(cause, asked);
    }
  }

  /** Only the newest question counts; the answer to an older one is dropped. */
  #ask(): AbortController {
    this.#asked?.abort();
    this.#asked = new AbortController();
    return this.#asked;
  }

  #take(page: Page<Item>): void {
    this.total = page.total;
    this.#next = page.nextCursor ?? null;
    this.status = 'ready';
    this.problem = null;
  }

  #fail(cause: unknown, asked: AbortController): void {
    if (this.#asked !== asked) return;
    this.problem = Problem.of(cause);
    this.status = 'failed';
  }

  #query(limit: number): ListQuery {
    return {
      limit,
      ...(this.q ? { q: this.q } : {}),
      ...(this.sort ? { sort: this.sort, order: this.order } : {}),
    };
  }
}
