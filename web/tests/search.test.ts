import { describe, expect, it, vi } from 'vitest';
import { lineOf, titleOf } from '../src/lib/search/excerpt';
import { HitList } from '../src/lib/search/hitList.svelte';
import { messagePath, searchedMessage } from '../src/lib/search/messagePath';
import { askSearch } from '../src/lib/search/server';
import { stillFits } from '../src/lib/search/stillFits';

vi.mock('../src/lib/search/server', () => ({ askSearch: vi.fn() }));

const marked = (pieces: { text: string; marked: boolean }[]) => pieces.filter((piece) => piece.marked).map(({ text }) => text);

describe('the line of a hit', () => {
  it('marks the letters that were searched for, also inside of words', () => {
    expect(marked(lineOf({ text: 'Der Mietvertrag und ein VERTRAG' }, 'vertrag'))).toEqual(['vertrag', 'VERTRAG']);
    expect(marked(titleOf({ title: 'Vertrag.pdf' }, ' vertrag  PDF '))).toEqual(['Vertrag', 'pdf']);
  });

  it('marks the words a passage was found by, whatever their endings', () => {
    const passage = { text: '## Kündigung\nDie Kündigungen\\\ngelten.', quote: 'gelten', why: { words: ['kundig'] } } as never;
    const line = lineOf({ text: '', passage }, 'wie kündige ich');
    expect(marked(line)).toEqual(['Kündigung', 'Kündigungen']);
    expect(line.map(({ text }) => text).join('')).toBe('Kündigung Die Kündigungen gelten.');
    const byMeaning = { text: 'Something long', quote: 'The answer', why: { words: [] } } as never;
    expect(lineOf({ text: '', passage: byMeaning }, 'x').map(({ text }) => text)).toEqual(['The answer']);
  });

  it('is cut where it is long, and empty where there is nothing to show', () => {
    expect(lineOf({ text: '' }, 'x')).toEqual([]);
    const line = lineOf({ text: `${'word '.repeat(100)}needle ${'more '.repeat(100)}` }, 'needle');
    expect(line[0]?.text).toBe('… ');
    expect(line.at(-1)?.text).toBe(' …');
    expect(marked(line)).toEqual(['needle']);
  });
});

describe('while the next answer is on its way', () => {
  it('keeps only what still fits', () => {
    const hit = { kind: 'note', title: 'Shopping', text: 'milk and bread' } as const;
    expect(stillFits(hit, 'shop MILK')).toBe(true);
    expect(stillFits(hit, 'shop butter')).toBe(false);
    expect(stillFits({ ...hit, kind: 'passage' }, 'shop'), 'found by meaning, perhaps').toBe(false);
  });
});

it('leads to the message with the words', () => {
  expect(messagePath('lab', { id: 'a', messageId: 'b' }, 'x & y')).toBe('/i/lab/c/a?message=b&q=x+%26+y');
  expect(searchedMessage('?message=b&q=x+%26+y')).toEqual({ messageId: 'b', q: 'x & y' });
});

describe('a list of hits', () => {
  const message = { kind: 'message', id: 'm', title: 'a', text: '' } as const;
  const passage = { kind: 'passage', id: 'p', title: 'b', text: '' } as const;
  const slow = { items: [message], gaps: [{ kind: 'passage' as const, reason: 'slow' as const }] };

  it('asks once more for a kind that was slow, and keeps what the others found', async () => {
    vi.mocked(askSearch).mockReset().mockResolvedValueOnce(slow).mockResolvedValueOnce({ items: [passage], gaps: [] });
    const list = new HitList('i', 0);
    list.ask('rent', ['passage', 'message'], 5);
    await vi.waitFor(() => expect(list.busy).toBe(false));
    expect(vi.mocked(askSearch).mock.calls.map(([, , kinds]) => kinds)).toEqual([['passage', 'message'], ['passage']]);
    expect([list.hits, list.gaps]).toEqual([[message, passage], []]);
  });

  it('says so when it stays slow', async () => {
    vi.mocked(askSearch).mockReset().mockResolvedValue(slow);
    const list = new HitList('i', 0);
    list.ask('rent', ['passage'], 5);
    await vi.waitFor(() => expect(list.busy).toBe(false));
    expect(list.gaps).toEqual([{ kind: 'passage', reason: 'slow' }]);
    expect(askSearch).toHaveBeenCalledTimes(3);
  });

  it('has the newest before there are words, where they are wanted', async () => {
    vi.mocked(askSearch).mockReset().mockResolvedValue({ items: [message], gaps: [] });
    const list = new HitList('i', 0);
    list.ask('', ['todo'], 5);
    expect(list.busy).toBe(false);
    list.ask('', ['todo'], 5, true);
    await vi.waitFor(() => expect(list.hits).toEqual([message]));
  });
});
