/** A provider being entered. The server tests it before it is used: a new one that fails is stored and waits, so a corrected key
 * goes to the same provider; a change that would break one that works is refused. */
import { api, take } from '../api/client';
import { Problem } from '../api/problem';
import type { OwnModel, Provider } from '../api/types';
import { Form } from '../state/form.svelte';
import { live } from '../state/live.svelte';
import { nameFrom } from './nameFrom';
import { askForModels, changeProvider, failureOf } from './providers';

export class ProviderForm {
  kind = $state<Provider['kind']>('openai');
  label = $state('');
  name = $state('');
  baseUrl = $state('');
  key = $state('');
  allowPrivate = $state(false);
  models = $state.raw<OwnModel[]>([]);
  stored = $state.raw<Provider | null>(null);
  readonly form = new Form('label', 'name', 'baseUrl', 'key', 'models');
  #sealed = ''; // the key that is stored already; the server never shows it again

  constructor(provider: Provider | null) {
    if (provider === null) return;
    const { kind, label, name, baseUrl, private: inside, models } = provider;
    Object.assign(this, { kind, label, name, baseUrl: baseUrl ?? '', allowPrivate: inside, models, stored: provider });
  }

  get isOwn(): boolean {
    return this.kind === 'endpoint';
  }

  /** Whether its address is known to lie inside the own network, so that a yes is needed. */
  get asksPrivate(): boolean {
    return this.isOwn && (this.allowPrivate || this.form.problem?.code === 'privateAddress');
  }

  /** Which of what was entered is not stored. */
  get unstored(): boolean[] {
    const { label = '', baseUrl = '', private: inside = false, models = [] }: Partial<Provider> = this.stored ?? {};
    const isSame = JSON.stringify(this.models) === JSON.stringify(models);
    return [this.label.trim() !== label, this.baseUrl.trim() !== (baseUrl ?? ''), this.key !== this.#sealed, this.allowPrivate !== inside, !isSame];
  }

  /** Store and test it; how many models it offers, or undefined when something is in the way. */
  async submit(): Promise<number | undefined> {
    const needed: Record<string, string> = this.isOwn ? { label: this.label, baseUrl: this.baseUrl } : this.stored ? {} : { key: this.key };
    if (!this.form.complete(needed)) return undefined;
    let offered: number | undefined;
    await this.form.send(async () => {
      const stored = await this.#store().catch((cause: unknown) => Promise.reject(this.#placed(Problem.of(cause))));
      const failure = failureOf(stored);
      if (failure) throw this.#placed(failure);
      offered = this.isOwn || !stored.enabled ? stored.models.length : (await askForModels(stored)).length;
    });
    return offered;
  }

  async #store(): Promise<Provider> {
    const own = this.isOwn ? { label: this.label.trim(), baseUrl: this.baseUrl.trim(), allowPrivate: this.allowPrivate } : {};
    const key = this.key !== this.#sealed ? { key: this.key } : {};
    const body = { ...own, ...key, models: this.models, test: this.stored?.enabled ?? true };
    const id = this.stored?.id;
    const name = this.isOwn ? this.name.trim() || nameFrom(this.label) : '';
    this.stored = id ? await changeProvider(id, body) : await take(api.POST('/api/model-providers', { body: { kind: this.kind, name, ...body } }));
    this.#sealed = this.key;
    this.models = this.stored.models;
    live.changed('model');
    return this.stored;
  }

  /** One of the known providers has no address to correct: what is wrong with it concerns no field. */
  #placed(problem: Problem): Problem {
    if (this.isOwn || problem.field !== 'baseUrl') return problem;
    return new Problem(problem.code, problem.message, problem.status, problem.traceId, { ...problem.details, field: '' });
  }
}
