/** Something with versions being written, such as an agent or a skill. What is typed is kept on the device until it is saved, and
 * never overwritten by what others save. */
import { Problem } from '../api/problem';
import { forget, recall, remember } from '../device';
import type { ChangeKind } from '../events/protocol';
import { Form } from '../state/form.svelte';
import { live } from '../state/live.svelte';
import { changedFields } from './changedFields';

export interface Versioned {
  id: string;
  version: number;
}

/** How things of one kind are written and stored. `Content` is what is sent of a draft. */
export interface DraftSource<Stored extends Versioned, Draft extends object, Content extends object> {
  /** Tells it from other drafts on this device. */
  key: string;
  kind: ChangeKind;
  /** The code of the problem when there is a newer version. */
  changedCode: string;
  /** The fields that show their own errors. */
  fields: readonly string[];
  /** Undefined: it is a new one. */
  id: string | undefined;
  draftOf: (stored: Stored | null) => Draft;
  contentOf: (draft: Draft) => Content;
  /** The fields that cannot be sent as they are. */
  wrongIn: (draft: Draft) => string[];
  /** Changes made from `base`, as they are made to what another user has saved. */
  onTop: (changes: Partial<Content>, base: Stored, newest: Stored) => Partial<Content>;
  ask: (id: string, signal: AbortSignal) => Promise<Stored>;
  create: (content: Content) => Promise<Stored>;
  change: (id: string, version: number, changes: Partial<Content>) => Promise<Stored>;
}

interface Kept<Stored, Draft> {
  /** The version it was made from. */
  base: Stored | null;
  draft: Draft;
}

export class DraftEditing<Stored extends Versioned, Draft extends object, Content extends object> {
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  /** What the draft was made from, and what is stored by now. */
  base = $state.raw<Stored | null>(null);
  newest = $state.raw<Stored | null>(null);
  draft = $state() as Draft;
  changes = $derived.by(() => changedFields(this.source.contentOf(this.source.draftOf(this.base)), this.source.contentOf(this.draft)));
  readonly form: Form;
  #asked: AbortController | undefined;

  /** `initial`: what a new one begins with, instead of nothing. */
  constructor(
    readonly source: DraftSource<Stored, Draft, Content>,
    initial?: Draft,
  ) {
    this.form = new Form(...source.fields);
    if (source.id === undefined) this.status = 'ready';
    const kept = this.#recall();
    this.base = kept?.base ?? null;
    const empty = source.draftOf(this.base);
    this.draft = kept ? { ...empty, ...kept.draft } : (initial ?? empty); // what it did not know of when it was kept is not changed
  }

  get isChanged(): boolean {
    return Object.keys(this.changes).length > 0;
  }

  /** Another user has saved it since. */
  get isOvertaken(): boolean {
    return this.isChanged && this.base !== null && this.newest !== null && this.newest.version > this.base.version;
  }

  /** What is stored, with the changes made here. */
  get wanted(): Stored | null {
    const { base, newest } = this;
    return base && newest && { ...newest, ...this.source.onTop(this.changes, base, newest) };
  }

  /** Look at what is stored; who has changed nothing sees it at once. */
  async look(): Promise<void> {
    if (this.source.id === undefined) return;
    this.#asked?.abort();
    const { signal } = (this.#asked = new AbortController());
    try {
      const found = await this.source.ask(this.source.id, signal);
      if (signal.aborted) return;
      this.#take(found);
      this.problem = null;
    } catch (cause) {
      if (signal.aborted) return;
      if (this.status === 'ready' && Problem.of(cause).code === 'network') return; // the stream will say hello again
      this.problem = Problem.of(cause);
      this.status = 'failed';
    }
  }

  /** The editor was left: answers on their way are not waited for. */
  leave(): void {
    this.#asked?.abort();
  }

  /** Only what was changed is sent, so that it can go on top of what another user has saved. Returns what is stored then. */
  async save(over = false): Promise<Stored | undefined> {
    if (!this.form.accept(this.source.wrongIn(this.draft))) return undefined;
    let saved: Stored | undefined;
    await this.form.send(async () => {
      saved = await this.#send(over);
      live.changed(this.source.kind);
    });
    if (saved) {
      this.#asked?.abort(); // it would tell of the version before
      this.adopt(saved);
    } else if (this.form.problem?.code === this.source.changedCode) await this.look();
    return saved;
  }

  /** From here on this is what is stored; what was typed goes. */
  adopt(stored: Stored | null): void {
    this.base = this.newest = stored;
    this.draft = this.source.draftOf(stored);
    this.form.problem = null;
    forget(this.source.key);
  }

  /** For a reload; called whenever something was typed. */
  keep(): void {
    if (this.status !== 'ready') return;
    const kept: Kept<Stored, Draft> = { base: this.base, draft: $state.snapshot(this.draft) as Draft };
    if (this.isChanged) remember(this.source.key, JSON.stringify(kept));
    else forget(this.source.key);
  }

  /** `over`: on top of what is stored by now. */
  #send(over: boolean): Promise<Stored> {
    const { base, newest, changes } = this;
    const { id, change, contentOf, create, onTop } = this.source;
    if (id === undefined || base === null) return create(contentOf(this.draft));
    return over && newest ? change(id, newest.version, onTop(changes, base, newest)) : change(id, base.version, changes);
  }

  #take(stored: Stored): void {
    this.newest = stored;
    if (this.base === null || !this.isChanged) {
      this.base = stored;
      this.draft = this.source.draftOf(stored);
    } else if (this.base.version === stored.version) this.base = stored; // shared differently, perhaps
    this.status = 'ready';
  }

  #recall(): Kept<Stored, Draft> | undefined {
    try {
      return JSON.parse(recall(this.source.key) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  }
}
