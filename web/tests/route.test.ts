/** Back and Forward, and who is asked before the page is left. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

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

  pushState(state: unknown, _: string, path = this.entries[this.open]!.path): void {
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

describe('what lies over the page', () => {
  let tabs: Tabs;

  async function opened() {
    vi.resetModules();
    const { page } = await import('../src/lib/state/route.svelte');
    page.go('/b');
    return page;
  }

  const here = () => [tabs.entries[tabs.open]!.path, tabs.open];

  beforeEach(() => {
    vi.useFakeTimers();
    tabs = new Tabs();
  });
  afterEach(() => vi.useRealTimers());

  it('is closed by Back, the topmost first, and then Back leaves the page', async () => {
    const page = await opened();
    const [drawer, dialog] = [vi.fn(), vi.fn()];
    page.layer(drawer);
    page.layer(dialog);
    tabs.go(-1);
    expect([dialog.mock.calls.length, drawer.mock.calls.length, page.path]).toEqual([1, 0, '/b']);
    tabs.go(-1);
    expect([dialog.mock.calls.length, drawer.mock.calls.length, page.path]).toEqual([1, 1, '/b']);
    tabs.go(-1);
    expect(page.path).toBe('/a');
  });

  it('leaves nothing in the history when it was closed otherwise', async () => {
    const page = await opened();
    const close = page.layer(() => {});
    close();
    vi.runAllTimers();
    expect(here()).toEqual(['/b', 1]);
  });

  it('gives its place to the page that a link in it leads to', async () => {
    const page = await opened();
    const close = page.layer(() => {});
    page.go('/c');
    close();
    vi.runAllTimers();
    expect(here()).toEqual(['/c', 2]);
    tabs.go(-1);
    expect(page.path).toBe('/b');
  });

  it.each(['another layer', 'another page'])('is followed by %s while its entry is being left', async (what) => {
    const page = await opened();
    const close = page.layer(() => {});
    const pop = tabs.go.bind(tabs);
    let left = 0;
    tabs.go = (by) => void (left = by); // browsers take their time
    close();
    vi.runAllTimers();
    expect(left).toBe(-1);
    const shut = vi.fn();
    if (what === 'another layer') page.layer(shut);
    else page.go('/c');
    tabs.go = pop;
    tabs.go(left);
    expect(shut).not.toHaveBeenCalled();
    expect(here()).toEqual([what === 'another layer' ? '/b' : '/c', 2]);
    tabs.go(-1);
    expect([page.path, shut.mock.calls.length]).toEqual(['/b', what === 'another layer' ? 1 : 0]);
  });

  it('is not open after a reload, and Back does not stop at it', async () => {
    (await opened()).layer(() => {});
    vi.resetModules();
    const { page } = await import('../src/lib/state/route.svelte');
    vi.runAllTimers();
    expect(here()).toEqual(['/b', 1]);
    tabs.go(-1);
    expect(page.path).toBe('/a');
  });
});
