/** One text being written. What is typed is kept on the device until it is saved, and never overwritten by what a person or an
 * agent writes meanwhile. */
import { Problem } from '../api/problem';
import { forget, heed, recall, remember } from '../device';
import type { ChangeKind } from '../events/protocol';
import { Form } from '../state/form.svelte';
import { live } from '../state/live.svelte';

export interface WrittenText {
  version: number;
  text: string;
  agentName: string;
  writtenByName: string | null;
}

/** How texts of one kind are read and stored. */
export interface TextSource<Stored extends WrittenText, Status extends string> {
  /** Tells it from other drafts on this device. */
  key: string;
  kind: ChangeKind;
  /** The code of the problem when there is a newer version. */
  changedCode: string;
  /** How many bytes it can have, and the code of the problem when it has more; else the server says so. */
  most?: { bytes: number; code: string };
  /** Whether two texts are stored as the same one; else those that differ only in white space around them are. */
  isSame?: (one: string, other: string) => boolean;
  ask: (signal: AbortSignal) => Promise<Stored>;
  /** `version` is the one it was made from. */
  write: (version: number, text: string, status: Status) => Promise<Stored>;
}

interface Kept {
  /** The version it was made from, and its text. */
  version: number;
  before: string;
  text: string;
}

export class Writing<Stored extends WrittenText, Status extends string> {
  problem = $state.raw<Problem | null>(null);
  /** What the text was made from, and what is stored by now. */
  base = $state.raw<Stored | null>(null);
  newest = $state.raw<Stored | null>(null);
  text = $state('');
  /** False when what was typed would not outlive a reload: there is no room for it on this device. */
  isKept = $state(true);
  readonly form = new Form('text');
  #asked: AbortController | undefined;
  /** As it is on the device. */
  #kept: string | null = null;

  constructor(readonly source: TextSource<Stored, Status>) {}

  get isChanged(): boolean {
    return this.base !== null && !this.#isSame(this.base.text);
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
      const found = await this.source.ask(signal);
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

  /** Looks at it now, and whenever it may have changed; returns the function that stops it. */
  follow(): () => void {
    void this.look();
    const unfollow = live.follow([this.source.kind], () => void this.look());
    return () => (unfollow(), this.#asked?.abort());
  }

  /** Other tabs of this browser have the same draft: what is typed there is shown here. Returns the function that stops it. */
  followTabs(): () => void {
    return heed(this.source.key, (before, now) => {
      const isShared = before !== null && before === this.#kept && read(before)?.text === this.text;
      if (this.base === null || (this.isChanged && !isShared)) return; // two drafts: each tab keeps its own
      if (now === null) return void this.#gone();
      const kept = read(now);
      if (!kept) return;
      this.#kept = now;
      this.base = { ...this.base, version: kept.version, text: kept.before };
      this.text = kept.text;
    });
  }

  /** `over`: on top of what is stored by now. True when it is stored. What is typed while it is being saved stays. */
  async save(status: Status, over = false): Promise<boolean> {
    const { base, newest, text } = this;
    const { changedCode, kind, most } = this.source;
    const from = over ? newest : base;
    if (from === null || !this.form.accept(most && sizeOf(text) > most.bytes ? ['text'] : [], most?.code)) return false;
    const isSaved = await this.form.send(async () => this.#stored(await this.source.write(from.version, text, status)));
    if (isSaved) live.changed(kind);
    else if (this.form.problem?.code === changedCode) await this.look();
    return isSaved;
  }

  /** From here on this is what is stored; what was typed goes. */
  adopt(stored: Stored | null): void {
    this.#asked?.abort(); // it would tell of the version before
    this.base = this.newest = stored;
    this.text = stored?.text ?? '';
    this.form.problem = null;
    this.#forget();
  }

  /** What was typed goes; returns the way back. */
  discard(): () => void {
    const { base, text } = this;
    this.adopt(this.newest);
    return () => {
      this.base = base;
      this.text = text;
      this.keep();
    };
  }

  /** For a reload; called whenever something was typed. */
  keep(): void {
    if (this.base === null) return;
    if (!this.isChanged) return this.#forget();
    const kept: Kept = { version: this.base.version, before: this.base.text, text: this.text };
    const draft = JSON.stringify(kept);
    // What another tab has kept is not written once more: it may have gone on meanwhile.
    if (draft !== this.#kept || recall(this.source.key) === null) this.isKept = remember(this.source.key, (this.#kept = draft));
  }

  /** The draft was saved in another tab, or discarded. */
  async #gone(): Promise<void> {
    const { text } = this;
    // Not `look`: what wakes it at the same moment would end this question, and the answer decides.
    const found = await this.source.ask(new AbortController().signal).catch(() => null);
    if (found === null || this.text !== text || recall(this.source.key) !== null) return; // it goes on here, or there
    this.#take(found);
    if (this.isChanged && this.base?.version === found.version) this.adopt(found);
  }

  #isSame(other: string): boolean {
    return this.source.isSame?.(this.text, other) ?? comparable(this.text) === comparable(other);
  }

  /** Not what another tab has kept since. */
  #forget(): void {
    if (recall(this.source.key) === this.#kept) forget(this.source.key);
  }

  #stored(stored: Stored): void {
    this.#asked?.abort();
    this.base = this.newest = stored;
  }

  #take(found: Stored): void {
    const kept = this.base === null ? this.#recall() : undefined;
    this.newest = found;
    if (kept) {
      this.base = { ...found, version: kept.version, text: kept.before };
      this.text = kept.text;
      if (this.#isSame(found.text)) this.base = found; // another tab has saved it
    } else if (this.base !== null && this.isChanged && this.#isSame(found.text)) {
      this.base = found;
    } else if (this.base === null || (!this.isChanged && this.base.version !== found.version)) {
      this.base = found;
      this.text = found.text;
    } else if (this.base.version === found.version) this.base = found; // what it builds on has changed, perhaps
  }

  #recall(): Kept | undefined {
    this.#kept = recall(this.source.key);
    return read(this.#kept);
  }
}

function read(kept: string | null): Kept | undefined {
  try {
    return JSON.parse(kept ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** As the server stores it. */
const comparable = (text: string) => text.normalize('NFC').replaceAll('\r\n', '\n').trim();

const sizeOf = (text: string) => new TextEncoder().encode(text).length;
