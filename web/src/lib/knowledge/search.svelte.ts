/** The question on the page and what was found. Kept while other pages are open, and as it was after coming back. */
import { Problem } from '../api/problem';
import { facetsOf, type Facet } from './groups';
import { askPassages, type Most } from './server';
import type { Passage } from './types';
import { sameQuestion, type View } from './view';

const FEW: Most = { limit: 15, shared: 10 };
const MANY: Most = { limit: 50, shared: 50 };

export class Search {
  status = $state<'none' | 'asking' | 'ready' | 'failed'>('none');
  passages = $state.raw<readonly Passage[]>([]);
  /** The files of the question as a whole, also when only one of them is looked at. */
  facets = $state.raw<readonly Facet[]>([]);
  problem = $state.raw<Problem | null>(null);
  growing = $state(false);
  /** The passage that was opened last. */
  opened = '';
  #view: View | undefined;
  #wide = $state(false);
  #asked: AbortController | undefined;

  constructor(readonly instanceId: string) {}

  /** There may be more than was asked for. Neighbours are put together, so fewer than asked for may be all of them. */
  get hasMore(): boolean {
    const count = (layer: Passage['layer']) => this.passages.reduce((sum, passage) => sum + (passage.layer === layer ? passage.chunks.length : 0), 0);
    return !this.#wide && (count('instance') * 2 >= FEW.limit || count('shared') * 2 >= FEW.shared);
  }

  /** The same question again changes nothing, unless it failed. */
  async ask(view: View): Promise<void> {
    if (this.#view && sameQuestion(this.#view, view) && this.status !== 'failed') return;
    this.#view = view;
    this.#wide = false;
    this.opened = '';
    if (view.q === '') this.#forget();
    else {
      this.status = 'asking';
      if ((await this.#fetch(view, FEW)) === 'failed') this.passages = []; // they answer another question
    }
  }

  /** What is there by now, without disturbing what is shown. */
  async again(): Promise<void> {
    if (this.#view?.q) await this.#fetch(this.#view, this.#wide ? MANY : FEW);
  }

  async more(): Promise<void> {
    if (!this.#view || this.growing) return;
    this.growing = true;
    if ((await this.#fetch(this.#view, MANY)) === 'ready') this.#wide = true;
    this.growing = false;
  }

  async #fetch(view: View, most: Most): Promise<'ready' | 'failed' | 'overtaken'> {
    this.#asked?.abort();
    const asked = (this.#asked = new AbortController());
    try {
      const found = await askPassages(this.instanceId, view, most, asked.signal);
      if (this.#asked !== asked) return 'overtaken';
      this.passages = found;
      if (view.files.length === 0) this.facets = facetsOf(found);
      this.problem = null;
      return (this.status = 'ready');
    } catch (cause) {
      if (this.#asked !== asked) return 'overtaken';
      this.problem = Problem.of(cause);
      return (this.status = 'failed');
    }
  }

  #forget(): void {
    this.#asked?.abort();
    this.#asked = undefined;
    this.passages = [];
    this.facets = [];
    this.problem = null;
    this.status = 'none';
  }
}

let kept: Search | undefined;

/** Of this workspace; that of another one is forgotten. */
export function searchIn(instanceId: string): Search {
  if (kept?.instanceId !== instanceId) kept = new Search(instanceId);
  return kept;
}
