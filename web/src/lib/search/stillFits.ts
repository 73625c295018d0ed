/** What of an earlier answer may be shown until the next one comes. Pure. */
import type { SearchHit } from './server';

/** A passage may have been found by its meaning, so nothing can be said about it. */
export function stillFits({ kind, title, text }: Pick<SearchHit, 'kind' | 'title' | 'text'>, q: string): boolean {
  const there = `${title} ${text ?? ''}`.toLowerCase();
  return kind !== 'passage' && q.toLowerCase().split(/\s+/).every((word) => there.includes(word));
}
