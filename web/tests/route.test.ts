/** Back and Forward, and who is asked before the page is left. */
import { beforeEach, describe, expect, it, vi } from 'vitest';

/** A browser's history: entries, and the one that is open. It leaves first and tells then, as browsers do. */
class Tabs {
  entries: { state: unknown; path: string }[] = [{ state: null, path: '/a' }];
  open = 0;
  #told: (() => void)[] = [];

  constructor() {
    const tabs = this;
    vi.stubGlobal('location', {
      get pathname() {
        return tabs.entries[tabs.open]!.path;
      },
      search: '',
    });
    vi.stubGlobal('addEventListener', (_: string, told: () => void) => this.#told.push(told));
    vi.stubGlobal('scrollTo', () => {});
    vi.stubGlobal('history', this);
  }

  get state(): unknown {
    return this.entries[this.open]!.state;
  }

  pushState(state: unknown, _: string, path: string): void {
    this.entries = [...this.entries.slice(0, this.open + 1), { state, path }];
    this.open += 1;
  }

  replaceState(state: unknown, _: string, path: string): void {
    this.entries[this.open] = { state, path };
  }

  go(by: number): void {
    this.open += by;
    for (const told of this.#told) told();
  }
}

describe('the way back', () => {
  let tabs: Tabs;

  async function opened() {
    vi.resetModules();
    return (await import('../src/lib/state/route.svelte')).page;
  }

  beforeEach(() => {
    tabs = new Tabs();
  });

  it('leads where one was', async () => {
    const page = await opened();
    page.go('/b');
    page.go('/c', { replace: true });
    tabs.go(-1);
    expect(page.path).toBe('/a');
    tabs.go(1);
    expect(page.path).toBe('/c');
  });

  it.each([-1, -2, 1])('leads nowhere while somebody would lose something: %d', async (by) => {
    const page = await opened();
    for (const path of ['/b', '/c', '/d']) page.go(path);
    tabs.go(-1);
    const asked = vi.fn(() => true);
    const leave = page.keep(asked);
    tabs.go(by);
    expect([page.path, tabs.entries[tabs.open]!.path]).toEqual(['/c', '/c']);
    expect(asked).toHaveBeenCalledOnce();
    leave();
    tabs.go(by);
    expect(page.path).toBe({ [-2]: '/a', [-1]: '/b', [1]: '/d' }[by]);
    expect(asked).toHaveBeenCalledOnce();
  });

  it('is open to whoever would lose nothing', async () => {
    const page = await opened();
    page.go('/b');
    page.keep(() => false);
    tabs.go(-1);
    expect(page.path).toBe('/a');
  });

  it('is known after a reload', async () => {
    (await opened()).go('/b');
    const page = await opened();
    page.keep(() => true);
    tabs.go(-1);
    expect([page.path, tabs.open]).toEqual(['/b', 1]);
  });
});
