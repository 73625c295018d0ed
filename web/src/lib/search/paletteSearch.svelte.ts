/** What the palette finds on the server: names at once, contents as soon as they are there. */
import type { InstanceRef } from '../api/types';
import type { Command } from '../dialogs/commands';
import { t } from '../i18n/index.svelte';
import { viewPath } from '../knowledge/view';
import { page } from '../state/route.svelte';
import { filters, KIND_LABELS, SETTINGS_FILTER, type Filter } from './filters';
import { CONTENTS_PAUSE_MS, HitList, NAMES_PAUSE_MS } from './hitList.svelte';
import { openHit } from './openHit';
import type { SearchGap, SearchHit } from './server';

const LEAST = 2; // letters; in Chinese that is a word
const FEW = 5; // of each kind, beside others
const MANY = 20; // of one kind alone

export class PaletteSearch {
  readonly filters = filters();
  filter = $state.raw<Filter>(this.filters[0]);
  readonly #names: HitList;
  readonly #contents: HitList;

  constructor(readonly workspace: InstanceRef) {
    this.#names = new HitList(workspace.id, NAMES_PAUSE_MS);
    this.#contents = new HitList(workspace.id, CONTENTS_PAUSE_MS);
  }

  ask(text: string): void {
    const { names, contents } = this.filter;
    const q = text.trim().length < LEAST ? '' : text;
    const limit = this.filter === this.filters[0] ? FEW : MANY;
    this.#names.ask(q, names, limit, this.hasNewest);
    this.#contents.ask(q, contents, limit);
  }

  leave(): void {
    this.#names.leave();
    this.#contents.leave();
  }

  /** Whether pages and actions are shown, too. */
  get hasCommands(): boolean {
    return this.filter === this.filters[0] || this.filter.name === SETTINGS_FILTER.name;
  }

  /** Whether there is something to see before words are entered: the newest of one kind. */
  get hasNewest(): boolean {
    return this.filter !== this.filters[0] && this.filter.names.length > 0;
  }

  get busy(): boolean {
    return this.#names.busy || this.#contents.busy;
  }

  /** What could not be searched, in words. */
  get gaps(): string[] {
    const { names, contents } = this.filter;
    const away = [...(this.#names.failed ? names : []), ...(this.#contents.failed ? contents : [])].map((kind): SearchGap => ({ kind, reason: 'failed' }));
    return [...away, ...this.#names.gaps, ...this.#contents.gaps].map(({ kind, reason }) => t(`searchGap.${reason}`, { kind: t(KIND_LABELS[kind]) }));
  }

  commands(text: string): Command[] {
    const q = text.trim();
    const found = [...this.#names.hits, ...this.#contents.hits].map((hit) => this.#command(hit, q));
    return this.#contents.hits.some(({ kind }) => kind === 'passage') ? [...found, this.#allPassages(q)] : found;
  }

  #command(hit: SearchHit, q: string): Command {
    return { group: t(KIND_LABELS[hit.kind]), label: hit.title, icon: 'search', hit, run: () => openHit(this.workspace, hit, q) };
  }

  /** The page that shows all of them, and why each was found. */
  #allPassages(q: string): Command {
    return { group: t(KIND_LABELS.passage), label: t('search.allPassages'), icon: 'book-open', run: () => page.go(viewPath(this.workspace.slug, { q })) };
  }
}
