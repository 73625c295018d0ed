/** Instructions being written. What is typed is kept on the device until it is saved, with the version it was made from. */
import { forget, recall, remember } from '../device';
import { Form } from '../state/form.svelte';
import type { Instruction } from './server';

type Stored = Pick<Instruction, 'text' | 'version'>;

export class Writing {
  text = $state('');
  #base = $state.raw<Stored>({ text: '', version: 0 });
  #newest = $state.raw<Stored>({ text: '', version: 0 });
  readonly form = new Form('text');

  /** `key` tells it from others on this device. */
  constructor(
    readonly key: string,
    stored: Stored,
  ) {
    const kept = this.#recall();
    this.#newest = stored;
    this.#base = kept?.base ?? stored;
    this.text = kept?.text ?? stored.text;
    if (!this.isChanged) this.adopt(stored);
  }

  get isChanged(): boolean {
    return this.text.trim() !== this.#base.text;
  }

  /** What another user has saved since. */
  get theirs(): Stored | undefined {
    return this.isChanged && this.#newest.version > this.#base.version ? this.#newest : undefined;
  }

  /** What is stored by now; who has changed nothing sees it at once. */
  take(stored: Stored): void {
    this.#newest = stored;
    if (!this.isChanged) this.adopt(stored);
  }

  /** From here on this is what is stored; what was typed goes. */
  adopt(stored: Stored): void {
    this.#base = this.#newest = stored;
    this.text = stored.text;
    this.form.problem = null;
    forget(this.key);
  }

  /** `over`: in the place of what another user has saved. */
  save(send: (text: string, version: number) => Promise<Stored>, over = false): Promise<boolean> {
    return this.form.send(async () => this.adopt(await send(this.text, (over ? this.#newest : this.#base).version)));
  }

  /** For a reload; called whenever something was typed. */
  keep(): void {
    if (this.isChanged) remember(this.key, JSON.stringify({ text: this.text, base: this.#base }));
    else forget(this.key);
  }

  #recall(): { text: string; base: Stored } | undefined {
    try {
      return JSON.parse(recall(this.key) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  }
}
