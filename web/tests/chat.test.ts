/** The parts of a chat that need no browser: groups by date, what is read out, what is stored, Markdown in blocks. */
import { describe, expect, it } from 'vitest';
import type { Message, Run } from '../src/lib/api/types';
import { byDate } from '../src/lib/chat/byDate';
import { newlySaid } from '../src/lib/chat/newlySaid';
import { turnsOf } from '../src/lib/chat/turns';
import { grow, NOTHING, type Blocks } from '../src/lib/markdown/blocks';
import { blank, type Item, type Picture } from '../src/lib/run/reduce';
import { needsLog, storedPicture } from '../src/lib/run/stored';

describe('conversations by date', () => {
  const now = new Date(2026, 2, 30, 9, 0).getTime(); // the morning after the clocks went forward in Europe
  const at = (...when: [number, number, number, number?, number?]) => ({ updatedAt: new Date(...when).toISOString() });

  it('are grouped by the days of the calendar', () => {
    const items = [at(2026, 2, 30, 0, 0), at(2026, 2, 29, 23, 59), at(2026, 2, 29), at(2026, 2, 28, 23, 59), at(2026, 2, 23), at(2026, 2, 22, 23, 59)];
    expect(byDate(items, now).map(({ age, items: found }) => [age, found.length])).toEqual([['today', 1], ['yesterday', 2], ['week', 2], ['older', 1]]);
  });

  it('have no empty groups', () => {
    expect(byDate([], now)).toEqual([]);
  });
});

describe('what is read out', () => {
  const text = (words: string, done: boolean): Item => ({ kind: 'text', id: words.slice(0, 3), attempt: 1, text: words, length: 0, done });
  const running = (...items: Item[]): Picture => ({ ...blank('r'), state: 'running', items });

  it('is a message once it is complete, without its signs', () => {
    expect(newlySaid(running(), running(text('One', false)))).toBeUndefined();
    const whole = running(text('## One\n\nSee **the** [plan](https://example.org): `a_b`.', true));
    expect(newlySaid(running(text('## One', false)), whole)).toBe('One\n\nSee the plan: a_b.');
    expect(newlySaid(whole, whole)).toBeUndefined();
  });

  it('is nothing of what was said before the page was opened', () => {
    const over: Picture = { ...running(text('One', true)), state: 'completed' };
    expect([newlySaid(undefined, over), newlySaid({ ...over, items: [] }, over)]).toEqual([undefined, undefined]);
  });
});

describe('a run from what is stored', () => {
  const run: Run = { id: 'r', workflowId: 'w', messageId: 'u', state: 'completed', rounds: 2, toolCalls: 0, inputTokens: 5, outputTokens: 6, error: null, createdAt: '2026-01-01T00:00:00Z', startedAt: '2026-01-01T00:00:01Z', endedAt: '2026-01-01T00:00:03Z' };
  const answer: Message = { id: 'a', role: 'assistant', parentId: 'u', runId: 'r', createdAt: run.createdAt, parts: [{ type: 'text', text: 'Looking.' }, { type: 'toolCall', callId: 'c', tool: 'look', arguments: { at: 1 } }] };

  it('shows its messages, its calls and its numbers', () => {
    const picture = storedPicture(run, [answer, { ...answer, id: 'b', runId: 'other' }]);
    expect(picture.items.map(({ kind, id }) => [kind, id])).toEqual([['text', 'a'], ['call', 'c']]);
    expect(picture.summary).toEqual({ rounds: 2, toolCalls: 0, inputTokens: 5, outputTokens: 6, durationMs: 2000 });
  });

  it.each([
    ['an answer in text', {}, [answer], false],
    ['results of tools', { toolCalls: 1 }, [answer], true],
    ['a run that goes on', { state: 'running' as const, endedAt: null }, [answer], true],
    ['an answer that is not in the branch', {}, [], true],
    ['an error without a word', { state: 'error' as const, error: 'Gone.' }, [], false],
    ['a waiting run that was stopped', { state: 'stopped' as const, startedAt: null }, [], false],
  ])('needs its log or not: %s', (_, change, messages, needed) => {
    const changed = { ...run, ...change };
    expect(needsLog(changed, storedPicture(changed, messages))).toBe(needed);
  });
});

describe('turns', () => {
  const run = (id: string, messageId: string) => ({ id, messageId }) as Run;
  const message = (id: string, role: 'user' | 'assistant', runId: string | null = null) => ({ id, role, runId, parts: [{ type: 'text', text: `Text of ${id}` }] }) as unknown as Message;

  it('show the answer that is on the screen, else the newest', () => {
    const runs = [run('r1', 'u1'), run('r2', 'u1'), run('r3', 'u2'), run('r4', 'u2')];
    const messages = [message('u1', 'user'), message('a1', 'assistant', 'r1'), message('u2', 'user'), message('u3', 'user')];
    expect(turnsOf(messages, runs)).toEqual([
      { messageId: 'u1', prompt: 'Text of u1', runId: 'r1' },
      { messageId: 'u2', prompt: 'Text of u2', runId: 'r4' },
      { messageId: 'u3', prompt: 'Text of u3', runId: undefined },
    ]);
  });
});

describe('growing Markdown', () => {
  const TEXT = '# A\n\nOne *two*\nthree.\n\n- a\n\n- b\n\n  more\n\n```js\nlet x;\n\nlet y;\n```\n\n#### Deep\n\n| a |\n| - |\n| 1 |\n\nSee [it][x].\n\n[x]: https://example.org\n';
  const raws = ({ settled, tail }: Blocks) => [...settled, ...tail].map(({ raw, level }) => [raw.trimEnd(), level]);

  it('is the same letter by letter as at once', () => {
    let [blocks, source] = [NOTHING, ''];
    for (let end = 1; end <= TEXT.length; end += 1) {
      const text = TEXT.slice(0, end);
      blocks = grow(blocks, source, text);
      source = text;
    }
    const whole = grow(NOTHING, '', TEXT);
    expect(raws(blocks)).toEqual(raws(whole));
    expect(blocks.links + blocks.tailLinks).toContain('[x]: https://example.org');
  });

  it('leaves what is settled alone', () => {
    const first = grow(NOTHING, '', 'One.\n\nTwo.\n\nThr');
    const second = grow(first, 'One.\n\nTwo.\n\nThr', 'One.\n\nTwo.\n\nThree.');
    expect(first.settled).toHaveLength(2);
    expect(second.settled.every((block, index) => block === first.settled[index])).toBe(true);
    expect(second.tail).toEqual([{ raw: 'Three.', level: 0 }]);
  });

  it('begins anew when the text is another one', () => {
    const first = grow(NOTHING, '', 'One.\n\nTwo.');
    expect(raws(grow(first, 'One.\n\nTwo.', 'Other.'))).toEqual([['Other.', 0]]);
  });

  it('has headings without leaps, below the heading of the answer', () => {
    expect(raws(grow(NOTHING, '', '### A\n\n# B\n\n## C\n\n###### D')).map(([, level]) => level)).toEqual([3, 3, 4, 5]);
  });
});
