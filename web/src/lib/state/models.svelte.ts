/** The models there are and which of them answers; fetched when first needed, kept up to date. */
import { api, take } from '../api/client';
import type { Chain, EmbeddingModel, Model, Page } from '../api/types';
import { isChoosable } from '../models/embedders';
import { live } from './live.svelte';
import { Newest } from './newest';
import { session } from './session.svelte';

const AT_ONCE = 200;
/** Providers whose models talk, and do nothing else; a server that was added by its address may have others. */
const HOSTED = ['openai', 'anthropic', 'google'];

class Models {
  all = $state.raw<Model[]>([]);
  /** Those that make vectors, the built-in one included. */
  embedding = $state.raw<EmbeddingModel[]>([]);
  chains = $state.raw<Chain[]>([]);
  status = $state<'unknown' | 'ready' | 'failed'>('unknown');
  #needed = false;
  #newest = new Newest();

  /** Call where models are shown. */
  need(): void {
    if (this.#needed || !session.may('seeModels')) return;
    this.#needed = true;
    void this.#fetch();
    live.follow(['model', 'role'], () => void this.#fetch());
  }

  /** Whether everything is said that will be: waiting longer brings nothing. */
  get known(): boolean {
    return this.status !== 'unknown' || !session.may('seeModels');
  }

  /** Language models, whether or not this user may use them; the embedded default is none. */
  get real(): Model[] {
    return this.all.filter(({ embedded }) => !embedded);
  }

  /** Those this person may use. */
  get usable(): Model[] {
    return this.real.filter(({ allowed }) => allowed);
  }

  /** Those asked for answers, in their order, as far as this person may use them. */
  get asked(): Model[] {
    const order = this.chains.find(({ operation }) => operation === 'AGENT')?.models ?? [];
    return order.map((ref) => this.usable.find(({ model }) => model === ref)).filter((model) => model !== undefined);
  }

  /** The one that answers unless another is chosen. */
  get answering(): Model | undefined {
    return this.asked[0];
  }

  /** No language model is set up: commands are all that works. */
  get none(): boolean {
    return this.status === 'ready' && this.real.length === 0;
  }

  /** Those that can be chosen for a kind of work. */
  choosable(operation: Chain['operation']): (Model | EmbeddingModel)[] {
    if (operation === 'EMBEDDING') return this.embedding.filter(isChoosable);
    return operation === 'RERANK' ? this.real.filter(({ provider }) => !HOSTED.includes(provider)) : this.real;
  }

  async #fetch(): Promise<void> {
    const isNewest = this.#newest.ask();
    try {
      const [all, embedding, chains] = await Promise.all([
        every<Model>((query) => take(api.GET('/api/models', { params: { query } }))),
        every<EmbeddingModel>((query) => take(api.GET('/api/embedding-models', { params: { query } }))),
        take(api.GET('/api/model-chains')),
      ]);
      if (!isNewest()) return;
      this.all = all;
      this.embedding = embedding;
      this.chains = chains.items;
      this.status = 'ready';
    } catch {
      if (isNewest() && this.status === 'unknown') this.status = 'failed'; // the stream will say hello again, and this runs again
    }
  }
}

async function every<T>(fetchPage: (query: { limit: number; cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await fetchPage({ limit: AT_ONCE, ...(cursor ? { cursor } : {}) });
    found.push(...page.items);
    cursor = page.nextCursor ?? null;
  }
  return found;
}

export const models = new Models();
