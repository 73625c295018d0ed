/** Tags in use, for suggestions and the filter: those of the newest files and of everything looked at since. */
import { api, take } from '../api/client';
import type { StoredFile } from '../api/types';
import { distinct } from './tagChange';

class Tags {
  #seen = $state.raw<ReadonlySet<string>>(new Set());
  #instanceId = '';

  use(instanceId: string): void {
    if (this.#instanceId === instanceId) return;
    this.#instanceId = instanceId;
    this.#seen = new Set();
    const query = { limit: 200, sort: 'updatedAt', order: 'desc' as const };
    take(api.GET('/api/workspace/{instanceId}/files', { params: { path: { instanceId }, query } })).then(
      ({ items }) => this.#instanceId === instanceId && this.saw(items),
      () => (this.#instanceId = ''),
    );
  }

  saw(files: readonly Pick<StoredFile, 'tags'>[]): void {
    const all = new Set([...this.#seen, ...files.flatMap(({ tags }) => tags)]);
    if (all.size > this.#seen.size) this.#seen = all;
  }

  get all(): string[] {
    return distinct(this.#seen).sort((a, b) => a.localeCompare(b));
  }
}

export const tags = new Tags();
