/** What the whole page knows, while answers of the server overtake each other. */
import { beforeEach, describe, expect, it, vi } from 'vitest';

type Body = Record<string, unknown>;
const server = vi.hoisted(() => ({ asked: [] as { call: string; body: Body | undefined; answer: (data: unknown) => void }[], reload: [] as (() => void)[], languages: [] as string[] }));

vi.mock('../src/lib/api/client', () => {
  const ask = (method: string) => (path: string, how?: { body?: Body }) => new Promise((answer) => void server.asked.push({ call: `${method} ${path}`, body: how?.body, answer }));
  return { api: { GET: ask('GET'), PATCH: ask('PATCH'), POST: ask('POST') }, take: (pending: unknown) => pending, whenSignedOut: () => {} };
});
vi.mock('../src/lib/state/live.svelte', () => ({ live: { begin: () => {}, onSignedOut: () => {}, follow: (_: unknown, reload: () => void) => void server.reload.push(reload) } }));
vi.mock('../src/lib/state/route.svelte', () => ({ page: {} }));
vi.mock('../src/lib/state/theme.svelte', () => ({ theme: { use: () => {} } }));
vi.mock('../src/lib/i18n/index.svelte', () => ({ i18n: { follow: (language: string) => void server.languages.push(language) } }));
vi.mock('../src/lib/access', () => ({ allows: () => true }));
vi.stubGlobal('addEventListener', () => {});

const { session } = await import('../src/lib/state/session.svelte');
const { models } = await import('../src/lib/state/models.svelte');
const settled = () => new Promise((done) => setTimeout(done));
const pending = (call: string) => server.asked.filter((one) => one.call === call);
const signedIn = (language: string) => ({ user: { id: 'me', language, theme: 'system' }, instances: [], permissions: {} });

beforeEach(() => {
  server.asked = [];
  session.begin(signedIn('en') as never);
  server.languages = [];
});

describe('a language', () => {
  it('chosen last is the one that is kept', async () => {
    const both = [session.changeMe({ language: 'de' }), session.changeMe({ language: 'fr' })];
    await settled();
    expect(pending('PATCH /api/me').map(({ body }) => body)).toEqual([{ language: 'de' }]);
    pending('PATCH /api/me')[0]!.answer({ id: 'me', language: 'de', theme: 'system' });
    await settled();
    expect(server.languages).toEqual([]);
    pending('PATCH /api/me')[1]!.answer({ id: 'me', language: 'fr', theme: 'system' });
    await Promise.all(both);
    expect([server.languages, session.data?.user.language]).toEqual([['fr'], 'fr']);
  });

  it('is not undone by an answer from before', async () => {
    const asked = session.refresh();
    const changed = session.changeMe({ language: 'de' });
    await settled();
    pending('PATCH /api/me')[0]!.answer({ id: 'me', language: 'de', theme: 'system' });
    await changed;
    pending('GET /api/session')[0]!.answer(signedIn('en'));
    await asked;
    expect([server.languages, session.data?.user.language]).toEqual([['de'], 'de']);
  });

  it('that another tab chose is taken over, one that is the same is left alone', async () => {
    for (const language of ['en', 'pt']) {
      const asked = session.refresh();
      pending('GET /api/session').at(-1)!.answer(signedIn(language));
      await asked;
    }
    expect(server.languages).toEqual(['pt']);
  });
});

describe('the models', () => {
  it('that were just set up are not forgotten when an older answer comes late', async () => {
    const answer = async (from: number, items: unknown[]) => {
      for (const path of ['models', 'embedding-models', 'model-chains']) pending(`GET /api/${path}`)[from]!.answer({ items: path === 'models' ? items : [], nextCursor: null });
      await settled();
    };
    models.need();
    server.reload.at(-1)!();
    await answer(1, [{ model: 'ollama/scripted', embedded: false, allowed: true }]);
    await answer(0, []);
    expect([models.none, models.usable.length]).toEqual([false, 1]);
  });
});
