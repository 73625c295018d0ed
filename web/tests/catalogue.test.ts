import { describe, expect, it } from 'vitest';
import { draftOf, emptyPrice, newDraft, wantedOf } from '../src/lib/catalogue/draft';
import { asFiles, differences, kindOf, partOf, withoutNull } from '../src/lib/catalogue/fields';
import type { Described } from '../src/lib/catalogue/types';

const strategy = { type: 'gpt-advanced', agentSwitchTemplate: 'hierarchical', assertiveness: 'medium', contextualMemory: 'high', specialHandling: ['role-override', 'priority-system'] } as const;
const price = { since: null, input: '2', cached: '0.1', written: null, output: '10', longPrompt: { above: 272_000, input: '4', cached: null, written: null, output: '15' } };

function known(change: { label?: string; input?: string; later?: boolean } = {}): Described {
  const prices = [{ ...price, input: change.input ?? '2' }, ...(change.later ? [{ ...price, since: '2026-12-01', longPrompt: null }] : [])];
  const entry = { id: 'gpt-x', label: change.label ?? 'GPT X', contextTokens: 1_050_000, outputTokens: 128_000, tools: true, images: false, prices };
  return { entry, strategy: { ...strategy, specialHandling: [...strategy.specialHandling] } };
}

describe('what differs between two descriptions', () => {
  it('is nothing between equal ones, whatever the order of what is said besides', () => {
    const other = known();
    other.strategy?.specialHandling.reverse();
    expect(differences({ before: known(), after: other })).toEqual([]);
  });

  it('is told field by field; what is not named costs as much as what goes in', () => {
    const found = differences({ before: known(), after: known({ label: 'X', input: '3' }) });
    expect(found.map(({ name, before, after }) => [name, before, after])).toEqual([
      ['label', 'GPT X', 'X'],
      ['input', '2', '3'],
      ['written', '2', '3'],
    ]);
  });

  it('knows prices of later days and of long prompts apart', () => {
    const found = differences({ before: known(), after: known({ later: true }) });
    expect(new Set(found.map(({ since, long }) => `${since} ${long}`))).toEqual(new Set(['2026-12-01 false']));
    const [gone] = differences({ before: known(), after: null }).filter(({ name }) => name === 'above');
    expect(gone).toEqual({ name: 'above', since: '', long: true, before: '272000', after: undefined });
  });

  it('is everything of one that comes', () => {
    expect(differences({ before: null, after: known() })).toHaveLength(5 + 4 + 5 + 5);
  });

  it('says what kind of change it is', () => {
    expect(kindOf({ before: null, after: known() })).toBe('added');
    expect(kindOf({ before: known(), after: null })).toBe('removed');
    expect(kindOf({ before: known(), after: known() })).toBe('changed');
  });
});

describe('one model while it is written', () => {
  it('is sent as the files have it', () => {
    const { entry } = known({ later: true });
    const sent = wantedOf(draftOf('openai', known({ later: true })));
    expect(sent).toEqual({ provider: 'openai', model: 'gpt-x', reset: false, after: { entry: { ...entry, prices: entry.prices.map(withoutNull) }, strategy: known().strategy } });
  });

  it('takes amounts and numbers as people type them, and sends what is none for the server to say so', () => {
    const draft = { ...newDraft(), id: ' gpt-y ', label: ' Y ', contextTokens: '1’000', outputTokens: 'many' };
    draft.prices = [{ ...emptyPrice(), input: '0,5', output: 'much' }];
    const { entry } = wantedOf(draft).after as unknown as Described;
    expect(entry).toMatchObject({ id: 'gpt-y', label: 'Y', contextTokens: 1000, outputTokens: 'many', prices: [{ input: '0.5', output: 'much' }] });
  });
});

describe('a pair of files', () => {
  it('is written as the product ships it, and told apart by its content', () => {
    const { prices, strategies } = asFiles([{ described: known() }]);
    expect(JSON.parse(prices)).toEqual({ models: [{ ...known().entry, prices: known().entry.prices.map(withoutNull) }] });
    expect(JSON.parse(strategies)).toEqual({ strategies: [{ modelId: 'gpt-x', strategy: known().strategy }] });
    expect([partOf(prices), partOf(strategies), partOf('{'), partOf('[]'), partOf('null')]).toEqual(['prices', 'strategies', undefined, undefined, undefined]);
    expect(prices.trimEnd().split('\n')).toHaveLength(5);
  });
});
