/** One document being written. What is typed is kept on the device until it is saved, and never overwritten by what a person or
 * an agent writes meanwhile. */
import { Problem } from '../api/problem';
import { forget, recall, remember } from '../device';
import { Form } from '../state/form.svelte';
import { live } from '../state/live.svelte';
import { askDocument, writeDocument, type DocumentPlace } from './server';
import type { DocumentStatus, DocumentView } from './types';

interface Kept {
  /** The version it was made from, and its text. */
  version: number;
  before: string;
  text: string;
}

export class Writing {
  problem = $state.raw<Problem | null>(null);
  /** What the text was made from, and what is stored by now. */
  base = $state.raw<DocumentView | null>(null);
  newest = $state.raw<DocumentView | null>(null);
  text = $state('');
  readonly form = new Form('text');
  #key: string;
  #asked: AbortController | undefined;

  constructor(readonly place: DocumentPlace) {
    this.#key = `documentDraft.${place.companyId}.${place.kind}`;
  }

  get isChanged(): boolean {
    return this.base !== null && comparable(this.text) !== comparable(this.base.text);
  }

  /** Another user or an agent has saved it since. */
  get isOvertaken(): boolean {
    return this.isChanged && this.base !== null && this.newest !== null && this.newest.version > this.base.version;
  }

  /** Look at what is stored; who has changed nothing sees it at once. */
  async look(): Promise<void> {
    this.#asked?.abort();
    const { signal } = (this.#asked = new AbortController());
    try {
      const found = await askDocument(this.place, signal);
      if (signal.aborted || this.form.busy) return; // what is being saved would look like a change of another user
      this.#take(found);
      this.problem = null;
    } catch (cause) {
      if (signal.aborted) return;
      const problem = Problem.of(cause);
      if (this.base && problem.code === 'network') return; // the stream will say hello again
      this.problem = problem;
    }
  }

  leave(): void {
    this.#asked?.abort();
  }

  /** `over`: on top of what is stored by now. True when it is stored. What is typed while it is being saved stays. */
  async save(status: DocumentStatus, over = false): Promise<boolean> {
    const { base, newest, text } = this;
    const from = over ? newest : base;
    if (from === null) return false;
    const isSaved = await this.form.send(async () => this.#stored(await writeDocument(this.place, from.version, text, status)));
    if (isSaved) live.changed('company');
    else if (this.form.problem?.code === 'documentChanged') await this.look();
    return isSaved;
  }

  /** From here on this is what is stored; what was typed goes. */
  adopt(document: DocumentView | null): void {
    this.#asked?.abort(); // it would tell of the version before
    this.base = this.newest = document;
    this.text = document?.text ?? '';
    this.form.problem = null;
    forget(this.#key);
  }

  /** For a reload; called whenever something was typed. */
  keep(): void {
    if (this.base === null) return;
    const kept: Kept = { version: this.base.version, before: this.base.text, text: this.text };
    if (this.isChanged) remember(this.#key, JSON.stringify(kept));
    else forget(this.#key);
  }

  #stored(document: DocumentView): void {
    this.#asked?.abort();
    this.base = this.newest = document;
  }

  #take(found: DocumentView): void {
    const kept = this.base === null ? this.#recall() : undefined;
    this.newest = found;
    if (kept) {
      this.base = { ...found, version: kept.version, text: kept.before };
      this.text = kept.text;
    } else if (this.base === null || (!this.isChanged && this.base.version !== found.version)) {
      this.base = found;
      this.text = found.text;
    } else if (this.base.version === found.version) this.base = found; // what it builds on has changed, perhaps
  }

  #recall(): Kept | undefined {
    try {
      return JSON.parse(recall(this.#key) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  }
}

/** As the server stores it. */
const comparable = (text: string) => text.normalize('NFC').replaceAll('\r\n', '\n').trim();
