import { describe, expect, it } from 'vitest';
import { Problem } from '../src/lib/api/problem';
import type { ListQuery, Page } from '../src/lib/api/types';
import { List } from '../src/lib/state/list.svelte';

/** A server whose answers are given by hand, so that their order can be chosen. */
function manual() {
  const asked: { query: ListQuery; signal: AbortSignal; answer: (page: Page<string>) => void; refuse: (cause: unknown) => void }[] = [];
  const fetch = (query: ListQuery, signal: AbortSignal) =>
    new Promise<Page<string>>((answer, refuse) => void asked.push({ query, signal, answer, refuse }));
  return { asked, fetch };
}
const page = (items: string[], nextCursor: string | null = null, total = items.length): Page<string> => ({ items, nextCursor, total });
const served = (...pages: Page<string>[]) => {
  const queries: ListQuery[] = [];
  const list = new List<string>((query) => (queries.push(query), Promise.resolve(pages[Math.min(queries.length, pages.length) - 1]!)), { sort: 'name' });
  return { list, queries };
};

describe('a list', () => {
  it('loads, and loads more until there is no more', async () => {
    const { list, queries } = served(page(['a'], 'next', 2), page(['b'], null, 2));
    expect(list.status).toBe('loading');
    await list.load();
    expect([list.items, list.hasMore, list.total]).toEqual([['a'], true, 2]);
    await list.more();
    expect([list.items, list.hasMore]).toEqual([['a', 'b'], false]);
    await list.more();
    expect(queries.map((query) => query.cursor)).toEqual([undefined, 'next']);
  });

  it('shows the answer to the newest question only', async () => {
    const { asked, fetch } = manual();
    const list = new List<string>(fetch);
    const first = list.search('a');
    const second = list.search('ab');
    expect(asked[0]!.signal.aborted).toBe(true);
    asked[1]!.answer(page(['new']));
    asked[0]!.answer(page(['old']));
    await Promise.all([first, second]);
    expect(list.items).toEqual(['new']);
  });

  it('ignores the failure of an older question', async () => {
    const { asked, fetch } = manual();
    const list = new List<string>(fetch);
    const both = [list.search('a'), list.search('ab')];
    asked[1]!.answer(page(['new']));
    asked[0]!.refuse(new DOMException('aborted', 'AbortError'));
    await Promise.all(both);
    expect([list.status, list.problem]).toEqual(['ready', null]);
  });

  it('that was left waits for no answer', async () => {
    const { asked, fetch } = manual();
    const list = new List<string>(fetch);
    const loaded = list.load();
    list.leave();
    expect(asked[0]!.signal.aborted).toBe(true);
    asked[0]!.refuse(new DOMException('aborted', 'AbortError'));
    await loaded;
    expect(list.problem).toBe(null);
  });

  it('keeps what it shows, and the search, when loading fails; trying again works', async () => {
    const { asked, fetch } = manual();
    const list = new List<string>(fetch);
    const loaded = list.load();
    asked[0]!.answer(page(['a']));
    await loaded;
    const searched = list.search('x');
    asked[1]!.refuse(Problem.network());
    await searched;
    expect([list.items, list.q, list.status, list.problem?.code]).toEqual([['a'], 'x', 'failed', 'network']);
    const again = list.load();
    expect(asked[2]!.query.q).toBe('x');
    asked[2]!.answer(page([]));
    await again;
    expect([list.status, list.problem]).toEqual(['ready', null]);
  });

  it('turns the order round when sorted twice by the same', async () => {
    const { list, queries } = served(page([]));
    await list.sortBy('name');
    await list.sortBy('createdAt');
    expect(queries.map(({ sort, order }) => `${sort} ${order}`)).toEqual(['name desc', 'createdAt asc']);
  });

  it('refreshes as much as is on the screen, without showing that it loads', async () => {
    const many = Array.from({ length: 120 }, (_, n) => String(n));
    const { list, queries } = served(page(many), page(many));
    await list.load();
    const refreshed = list.refresh();
    expect(list.status).toBe('ready');
    await refreshed;
    expect(queries.map((query) => query.limit)).toEqual([50, 120]);
  });
});
