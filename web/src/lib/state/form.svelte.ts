/** A form being sent: busy meanwhile, input kept on error, the error beside its field or above the buttons. */
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
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Whether all of these are filled in; the first empty one gets an error. */
  complete(values: Record<string, string>): boolean {
    const empty = Object.keys(values).find((field) => values[field]?.trim() === '');
    this.problem = empty === undefined ? null : new Problem('required', '', 0, '', { field: empty });
    return empty === undefined;
  }

  /** The error of this field, if the last answer was about it. */
  error(field: string): string | undefined {
    return this.problem?.field === field ? explain(this.problem) : undefined;
  }

  /** The error that belongs to no field of this form. */
  get general(): Problem | null {
    return this.problem && !this.#fields.includes(this.problem.field ?? '') ? this.problem : null;
  }
}
