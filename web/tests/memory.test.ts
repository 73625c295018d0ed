/** What a conversation remembers: by kinds, and kept up to date without a flicker. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../src/lib/api/problem';
import { groupsOf, kindOf } from '../src/lib/memory/groups';
import { Remembered } from '../src/lib/memory/memory.svelte';
import type { Entity, Memory } from '../src/lib/memory/types';

function entity(key: string, value: string, more: Partial<Entity> = {}): Entity {
  return { id: value, key: `entity:${key}`, value, source: 'tool', times: 1, createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z', callId: null, ...more } as Entity;
}

describe('facts', () => {
  it('come by what they are, in one order, without empty groups', () => {
    const found = [entity('person', 'Ada'), entity('date', '1 May'), entity('company', 'Muster AG'), entity('amount', 'CHF 5')];
    expect(groupsOf(found).map(({ kind }) => kind)).toEqual(['company', 'amount', 'date', 'person']);
    expect(groupsOf([])).toEqual([]);
  });

  it('begin with what was met most often, then with the newest, then by their words', () => {
    const found = [entity('person', 'b'), entity('person', 'often', { times: 9 }), entity('person', 'a'), entity('person', 'new', { updatedAt: '2026-02-01T00:00:00Z' })];
    expect(groupsOf(found)[0]!.entities.map(({ value }) => value)).toEqual(['often', 'new', 'a', 'b']);
  });

  it('of a kind this page does not know are shown all the same', () => {
    expect(kindOf('entity:planet')).toBe('other');
    expect(groupsOf([entity('planet', 'Mars')])).toMatchObject([{ kind: 'other', entities: [{ value: 'Mars' }] }]);
  });
});

describe('what is remembered', () => {
  const place = { instanceId: 'room', workflowId: 'talk' };
  const memory = (...values: string[]) => ({ entities: values.map((value) => entity('person', value)), summaries: [], results: [], enabled: true, byModel: false }) as Memory;
  function manual() {
    const asked: { signal: AbortSignal; answer: (found: Memory) => void; refuse: (cause: unknown) => void }[] = [];
    const remembered = new Remembered(place, (_, signal) => new Promise((answer, refuse) => void asked.push({ signal, answer, refuse })));
    return { asked, remembered, names: () => remembered.known?.entities.map(({ value }) => value) };
  }

  it('is asked for once more when much has changed meanwhile', async () => {
    const { asked, remembered, names } = manual();
    const first = remembered.look();
    void remembered.look();
    void remembered.look();
    asked[0]!.answer(memory('old'));
    await Promise.resolve();
    expect(names()).toEqual(['old']);
    asked[1]!.answer(memory('new'));
    await first;
    expect([asked.length, names()]).toEqual([2, ['new']]);
  });

  it('stays where it is when the network is away, and says so only when nothing is known', async () => {
    const { asked, remembered, names } = manual();
    const first = remembered.look();
    asked[0]!.refuse(Problem.network());
    await first;
    expect(remembered.problem?.code).toBe('network');
    const second = remembered.look();
    asked[1]!.answer(memory('Ada'));
    await second;
    expect(remembered.problem).toBeNull();
    const third = remembered.look();
    asked[2]!.refuse(Problem.network());
    await third;
    expect([names(), remembered.problem]).toEqual([['Ada'], null]);
  });

  it('is not told to a panel that was left', async () => {
    const { asked, remembered, names } = manual();
    const first = remembered.look();
    remembered.leave();
    asked[0]!.answer(memory('late'));
    await first;
    expect([asked[0]!.signal.aborted, names()]).toEqual([true, undefined]);
  });
});
