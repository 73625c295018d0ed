/** A form being sent: busy meanwhile, input kept on error, the error beside its field or above the buttons. */
import { tick } from 'svelte';
import { Problem } from '../api/problem';
import { explain } from './say';

export class Form {
  busy = $state(false);
  problem = $state.raw<Problem | null>(null);
  #fields: readonly string[];

  constructor(...fields: string[]) {
    this.#fields = fields;
  }

  /** Run it; true when it succeeded. A second call while one runs does nothing. */
  async send(work: () => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    try {
      await work();
      this.problem = null;
      return true;
    } catch (cause) {
      this.problem = Problem.of(cause);
      void lookAtFirstError();
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Whether all of these are filled in; the empty ones get an error. */
  complete(values: Record<string, string>): boolean {
    return this.accept(Object.keys(values).filter((field) => values[field]?.trim() === ''), 'required');
  }

  /** Whether none of the fields is wrong; those that are get an error. */
  accept(wrong: readonly string[], code = 'invalidInput'): boolean {
    this.problem = wrong.length === 0 ? null : new Problem(code, '', 0, '', { fields: wrong.map((field) => ({ field })) });
    if (this.problem) void lookAtFirstError();
    return this.problem === null;
  }

  /** The error of this field, if the last answer was about it. */
  error(field: string): string | undefined {
    return this.problem?.fields.includes(field) ? explain(this.problem, field) : undefined;
  }

  /** The error that belongs to no field of this form. */
  get general(): Problem | null {
    return this.problem && !this.problem.fields.some((field) => this.#fields.includes(field)) ? this.problem : null;
  }
}

/** In a long form the field may be out of sight. */
async function lookAtFirstError(): Promise<void> {
  const form = document.activeElement?.closest('form') ?? document;
  await tick();
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
