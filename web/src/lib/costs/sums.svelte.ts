/** What was spent, summed up in every way the page shows it; the newest question counts. */
import { api, take } from '../api/client';
import { Problem } from '../api/problem';
import type { CostSum } from '../api/types';
import type { Asked } from './filters';

type By = 'day' | 'purpose' | 'model' | 'user' | 'workflow';

export async function summed(by: By, query: Asked): Promise<CostSum[]> {
  return (await take(api.GET('/api/costs/summary', { params: { query: { ...query, by } } }))).items;
}

export class Sums {
  found = $state.raw<Record<By, CostSum[]> | null>(null);
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);
  #asked: object | undefined;

  /** What is shown stays until the answer is there. */
  async load(query: Asked, withPeople: boolean): Promise<void> {
    const asked = (this.#asked = {});
    this.busy = true;
    try {
      const [day, purpose, model, workflow, user] = await Promise.all([
        summed('day', query),
        summed('purpose', query),
        summed('model', query),
        summed('workflow', query),
        withPeople ? summed('user', query) : [],
      ]);
      if (this.#asked !== asked) return;
      this.found = { day, purpose, model, workflow, user };
      this.problem = null;
    } catch (cause) {
      if (this.#asked === asked) this.problem = Problem.of(cause);
    } finally {
      if (this.#asked === asked) this.busy = false;
    }
  }
}
