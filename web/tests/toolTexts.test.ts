/** The texts of tools come from the server, once per language; without them lines have the names of tools. */
import { beforeEach, describe, expect, it, vi } from 'vitest';

type Texts = Record<string, { label: string }>;
const get = vi.hoisted(() => vi.fn<(path: string, options: { params: { query: { language: string } } }) => Promise<Texts>>());
vi.mock('../src/lib/api/client', () => ({ api: { GET: get }, take: (pending: Promise<Texts>) => pending }));

const rolls = { rollDice: { label: 'rolls' } };
const rollsInGerman = { rollDice: { label: 'würfelt' } };

async function fresh() {
  vi.resetModules();
  return (await import('../src/lib/tools/texts.svelte')).toolTexts;
}

describe('texts of tools', () => {
  beforeEach(() => {
    get.mockReset();
  });

  it('are fetched once per language', async () => {
    const texts = await fresh();
    expect([texts.settled, texts.of('rollDice')]).toEqual([false, undefined]);
    get.mockImplementation((_, { params }) => Promise.resolve(params.query.language === 'de' ? rollsInGerman : rolls));
    await Promise.all([texts.use('en'), texts.use('en')]);
    await texts.use('en');
    expect([texts.settled, texts.of('rollDice')?.label, texts.of('unknown')]).toEqual([true, 'rolls', undefined]);
    await texts.use('de');
    expect(texts.of('rollDice')?.label).toBe('würfelt');
    expect([texts.nameOf('rollDice'), texts.nameOf('unknown')]).toEqual(['Würfelt', 'unknown']);
    expect(get.mock.calls.map(([path, { params }]) => [path, params.query.language])).toEqual([['/api/tool-texts', 'en'], ['/api/tool-texts', 'de']]);
  });

  it('hold nothing up when they cannot be had, and are tried again', async () => {
    const texts = await fresh();
    get.mockImplementationOnce(() => Promise.reject(new Error('offline')));
    await texts.use('en');
    expect([texts.settled, texts.of('rollDice')]).toEqual([true, undefined]);
    get.mockResolvedValueOnce(rolls);
    await texts.use('en');
    expect(texts.of('rollDice')?.label).toBe('rolls');
  });

  it('are those of the language that was wanted last, whichever comes first', async () => {
    const texts = await fresh();
    let arrive = (_: Texts) => {};
    get.mockImplementationOnce(() => new Promise((resolve) => (arrive = resolve)));
    get.mockResolvedValueOnce(rollsInGerman);
    const first = texts.use('en');
    await texts.use('de');
    arrive(rolls);
    await first;
    expect(texts.of('rollDice')?.label).toBe('würfelt');
  });
});
