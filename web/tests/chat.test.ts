/** The parts of a chat that need no browser: groups by date, what is read out, what is stored, Markdown in blocks. */
import { describe, expect, it } from 'vitest';
import type { Message, Run } from '../src/lib/api/types';
import { announcementsSince } from '../src/lib/chat/announcements';
import { byDate } from '../src/lib/chat/byDate';
import { ALL, queryOf } from '../src/lib/chat/listQuery';
import { restOf, stateOf } from '../src/lib/chat/plan';
import { turnsOf, withPending } from '../src/lib/chat/turns';
import { grow, NOTHING, type Blocks } from '../src/lib/markdown/blocks';
import { blank, type Item, type PlanItem, type RunView } from '../src/lib/run/reduce';
import { needsLog, runViewFromStored } from '../src/lib/run/storedRunView';

describe('conversations by date', () => {
  const now = new Date(2026, 2, 30, 9, 0).getTime(); // the morning after the clocks went forward in Europe
  const at = (...when: [number, number, number, number?, number?]) => ({ updatedAt: new Date(...when).toISOString() });

  it('are grouped by the days of the calendar', () => {
    const items = [at(2026, 2, 30, 0, 0), at(2026, 2, 29, 23, 59), at(2026, 2, 29), at(2026, 2, 28, 23, 59), at(2026, 2, 23), at(2026, 2, 22, 23, 59)];
    expect(byDate(items, now).map(({ age, items: found }) => [age, found.length])).toEqual([['today', 1], ['yesterday', 2], ['week', 2], ['older', 1]]);
  });

  it('begin with those that are pinned', () => {
    const items = [{ ...at(2026, 2, 1), pinned: true }, { ...at(2026, 2, 30), pinned: false }];
    expect(byDate(items, now).map(({ age }) => age)).toEqual(['pinned', 'today']);
  });

  it('are asked for by whole days where the user is', () => {
    const asked = queryOf({ ...ALL, from: '2026-03-29', to: '2026-03-29' });
    expect([asked.since, asked.until]).toEqual([new Date(2026, 2, 29).toISOString(), new Date(2026, 2, 30).toISOString()]);
    expect(queryOf({ ...ALL, status: 'trash', agentId: 'a' })).toEqual({ status: 'trash', agentId: 'a' });
  });

  it('have no empty groups', () => {
    expect(byDate([], now)).toEqual([]);
  });
});

describe('what is read out', () => {
  const text = (words: string, done: boolean): Item => ({ kind: 'text', id: words.slice(0, 3), attempt: 1, text: words, length: 0, done });
  const running = (...items: Item[]): RunView => ({ ...blank('r'), state: 'running', items });

  const announced = (before: RunView | undefined, now: RunView) => announcementsSince(before, now, (text) => text.replaceAll('[[k7qda]]', '(report.pdf, page 3)'), (tool, pause) => `${tool}: ${pause.text}`);

  it('is a message once it is complete, without its signs', () => {
    expect(announced(running(), running(text('One', false)))).toBeUndefined();
    const whole = running(text('## One\n\nSee **the** [plan](https://example.org): `a_b`.', true));
    expect(announced(running(text('## One', false)), whole)).toBe('One\n\nSee the plan: a_b.');
    expect(announced(whole, whole)).toBeUndefined();
  });

  it('leaves out the figures of a chart, and keeps other code', () => {
    const answer = 'One.\n\n```chart\n{"kind": "bar"}\n```\n\nTwo.\n\n```json\n{"a": 1}\n```';
    expect(announced(running(), running(text(answer, true)))).toBe('One.\n\n\n\nTwo.\n\n\n{"a": 1}\n');
  });

  it('names the sources, which nobody hears as numbers', () => {
    expect(announced(running(), running(text('**True** [[k7qda]].', true)))).toBe('True (report.pdf, page 3).');
  });

  it('is a question when it is asked', () => {
    const asked = (state: 'waiting' | 'answered'): Item => ({ kind: 'pause', id: 'c?', callId: 'c', tool: 'ask', state, pause: { kind: 'question', version: 1, text: 'Which?' }, answer: null });
    expect(announced(running(), running(asked('waiting')))).toBe('ask: Which?');
    expect(announced(running(asked('waiting')), running(asked('answered')))).toBeUndefined();
  });

  it('is nothing of what was said before the page was opened', () => {
    const over: RunView = { ...running(text('One', true)), state: 'completed' };
    expect([announced(undefined, over), announced({ ...over, items: [] }, over)]).toEqual([undefined, undefined]);
  });
});

describe('a run from what is stored', () => {
  const run: Run = { id: 'r', workflowId: 'w', messageId: 'u', state: 'completed', rounds: 2, toolCalls: 0, inputTokens: 5, outputTokens: 6, costCHF: '0.01', costAssumed: false, model: 'm', ending: null, error: null, errorCode: null, errorDetails: {}, agentId: null, agentName: '', place: null, createdAt: '2026-01-01T00:00:00Z', startedAt: '2026-01-01T00:00:01Z', endedAt: '2026-01-01T00:00:03Z' };
  const answer: Message = { authorId: null, authorName: null, id: 'a', role: 'assistant', parentId: 'u', runId: 'r', createdAt: run.createdAt, parts: [{ type: 'text', text: 'Looking.' }, { type: 'toolCall', callId: 'c', tool: 'look', arguments: { at: 1 }, asText: false, private: false }] };

  const words: Message = { ...answer, parts: [{ type: 'text', text: 'Found.' }] };

  it('shows its messages, its calls and its numbers', () => {
    const runView = runViewFromStored(run, [answer, { ...answer, id: 'b', runId: 'other' }]);
    expect(runView.items.map(({ kind, id }) => [kind, id])).toEqual([['text', 'a'], ['call', 'c']]);
    expect(runView.summary).toEqual({ rounds: 2, toolCalls: 0, inputTokens: 5, outputTokens: 6, costCHF: '0.01', costAssumed: false, model: 'm', reason: '', durationMs: 2000 });
  });

  it('shows its plan, what became of the steps, and the actions they requested', () => {
    const plan = { version: 1 as const, fallback: false, requestId: 'q', steps: ['goto_address', 'load_layer'].map((intent) => ({ intent, toolCalls: [], result: { status: 'pending' as const, message: '' } })) };
    const step = (index: number, message: string, actions: { type: string; payload: Record<string, unknown> }[]) => ({ type: 'step' as const, step: { index, intent: plan.steps[index]!.intent, status: 'ok' as const, message, actions, private: false } });
    const call = (callId: string) => ({ type: 'toolCall' as const, callId, tool: 'geolocation.geocode', arguments: {}, asText: false, private: false });
    const [view, layer] = [{ type: 'setView', payload: { zoom: 17 } }, { type: 'addLayer', payload: { id: 'a' } }];
    const messages: Message[] = [
      { ...answer, id: 'p', parts: [{ type: 'plan', plan }, call('c1')] },
      { ...answer, id: 'q', parts: [step(0, 'There.', [view]), call('c2')] },
      { ...answer, id: 's', parts: [step(1, 'Loaded.', [layer]), { type: 'text', text: 'There.\n\nLoaded.' }] },
    ];
    const runView = runViewFromStored(run, messages);
    expect(runView.items.map(({ kind, id }) => [kind, id])).toEqual([['plan', 'p/plan'], ['call', 'c1'], ['call', 'c2'], ['text', 's']]);
    expect((runView.items[0] as PlanItem).steps).toEqual([{ intent: 'goto_address', status: 'ok', message: 'There.' }, { intent: 'load_layer', status: 'ok', message: 'Loaded.' }]);
    expect(runView.actions).toEqual([{ seq: 0, messageId: 'q', action: view }, { seq: 0, messageId: 's', action: layer }]);
    expect(runView.messages).toEqual(['p', 'q', 's']);
    expect(restOf('There.\n\nLoaded.', runView.items)).toBe('');
  });

  it.each([
    ['an answer in text', {}, [words], false],
    ['results of tools', { toolCalls: 1 }, [words], true],
    ['a call that was never made', {}, [answer], true],
    ['a run that goes on', { state: 'running' as const, endedAt: null }, [words], true],
    ['an answer that is not in the branch', {}, [], true],
    ['an error without a word', { state: 'error' as const, error: 'Gone.' }, [], false],
    ['a waiting run that was stopped', { state: 'stopped' as const, startedAt: null }, [], false],
  ])('needs its log or not: %s', (_, change, messages, needed) => {
    const changed = { ...run, ...change };
    expect(needsLog(changed, runViewFromStored(changed, messages))).toBe(needed);
  });
});

describe('a plan', () => {
  const plan = (...steps: [PlanItem['steps'][number]['status'], string?][]): PlanItem => ({ kind: 'plan', id: 'p', steps: steps.map(([status, message = '']) => ({ intent: 'i', status, message })) });
  const states = (of: PlanItem, how: { over?: boolean; waits?: boolean } = {}) => of.steps.map((_, index) => stateOf(of, index, { over: false, waits: false, ...how }));

  it('is at its first step that is not done', () => {
    const half = plan(['ok'], ['error'], [null], [null]);
    expect(states(half)).toEqual(['ok', 'error', 'running', 'pending']);
    expect(states(half, { waits: true })).toEqual(['ok', 'error', 'needs_user_choice', 'pending']);
    expect(states(half, { over: true })).toEqual(['ok', 'error', 'undone', 'undone']);
  });

  it('says below its lines only what they do not say', () => {
    expect(restOf('A.\n\nB.', [plan(['ok', 'A.'], ['ok', 'B.'])])).toBe('');
    expect(restOf('A.\n\nC.', [plan(['ok', 'A.'], ['ok', 'B.'])])).toBe('A.\n\nC.');
    expect(restOf('A.\nMore.\n\nB.', [plan(['ok', 'A.\nMore.'], ['ok', 'B.'])])).toBe('A.\nMore.');
    expect(restOf('B.', [plan(['ok', 'A.\nRead for one person.'], ['ok', 'B.'])])).toBe('A.\nRead for one person.');
    expect(restOf('', [plan([null])])).toBe('');
    expect(restOf('A.', [])).toBe('A.');
  });
});

describe('turns', () => {
  const run = (id: string, messageId: string, rounds = 1, state: Run['state'] = 'completed') => ({ id, messageId, rounds, state, createdAt: id }) as Run; // each at a time of its own
  const message = (id: string, parentId: string | null) => ({ id, parentId, role: 'user', runId: null, parts: [{ type: 'text', text: `Text of ${id}` }] }) as unknown as Message;
  const answer = (id: string, parentId: string, runId: string) => ({ id, parentId, role: 'assistant', runId, parts: [] }) as unknown as Message;
  const at = (parentId: string | null, ...messageIds: string[]) => ({ parentId, messageIds });

  it('show the answer that is on the screen, else the newest', () => {
    const runs = [run('r1', 'u1'), run('r2', 'u1'), run('r3', 'u2'), run('r4', 'u2')];
    const messages = [message('u1', null), answer('a1', 'u1', 'r1'), message('u2', 'a1'), message('u3', 'u2')];
    const turns = turnsOf({ messages, runs, branchings: [] }).map(({ messageId, prompt, runId }) => [messageId, prompt, runId]);
    expect(turns).toEqual([['u1', 'Text of u1', 'r1'], ['u2', 'Text of u2', 'r4'], ['u3', 'Text of u3', undefined]]);
  });

  it('know the other ways a message was said and answered', () => {
    const messages = [message('u1', null), answer('a2', 'u1', 'r2'), message('v2', 'a2')];
    const runs = [run('r1', 'u1'), run('r2', 'u1'), run('r3', 'v2')];
    const [first, second] = turnsOf({ messages, runs, branchings: [at('u1', 'a1', 'a2'), at('a2', 'v1', 'v2', 'v3')] });
    expect(first?.answers).toEqual({ ids: ['a1', 'a2'], at: 1, count: 2 });
    expect([first?.messages, second?.messages, second?.answers]).toEqual([undefined, { ids: ['v1', 'v2', 'v3'], at: 1, count: 3 }, undefined]);
  });

  it('show what was read for a question before every round', () => {
    const material = (mark: string) => ({ type: 'material' as const, kind: 'text' as const, mark, found: true });
    const asked = { ...message('u1', null), parts: [material('aaaaa')] };
    const rounds = [{ ...answer('a1', 'u1', 'r1'), parts: [material('bbbbb')] }, { ...answer('x', 'a1', 'other'), parts: [material('ccccc')] }];
    const [turn] = turnsOf({ messages: [asked, ...rounds] as never, runs: [run('r1', 'u1')], branchings: [] });
    expect(turn?.materials?.map(({ mark }) => mark)).toEqual(['aaaaa', 'bbbbb']);
  });

  it('know the first message, which follows none', () => {
    const [turn] = turnsOf({ messages: [message('w', null)], runs: [], branchings: [at(null, 'u', 'w')] });
    expect(turn?.messages).toEqual({ ids: ['u', 'w'], at: 1, count: 2 });
  });

  it('lead back from a try that said nothing to the answers before it', () => {
    const messages = [message('u', null)];
    const several = turnsOf({ messages, runs: [run('r1', 'u'), run('r2', 'u'), run('r3', 'u', 0)], branchings: [at('u', 'a1', 'a2')] });
    expect(several[0]?.answers).toEqual({ ids: ['a1', 'a2'], at: 2, count: 3 });
    const single = turnsOf({ messages, runs: [run('r1', 'u'), run('r2', 'u', 0)], branchings: [] });
    expect(single[0]?.answers).toEqual({ ids: ['u'], at: 1, count: 2 }); // the branch of `u` leads to its newest answer
    const working = turnsOf({ messages, runs: [run('r1', 'u'), run('r2', 'u', 0, 'running')], branchings: [] });
    expect(working[0]?.answers).toBeUndefined(); // what it says may be stored by the time somebody goes there
    const none = turnsOf({ messages, runs: [run('r1', 'u', 0), run('r2', 'u', 0)], branchings: [] });
    expect(none[0]?.answers).toBeUndefined();
  });

  it('take no next message for an answer', () => {
    const messages = [message('u', null), message('v2', 'u')];
    const [first] = turnsOf({ messages, runs: [run('r1', 'u', 0)], branchings: [at('u', 'v1', 'v2')] });
    expect(first?.answers).toBeUndefined();
  });

  describe('that were just sent', () => {
    const turn = (messageId: string) => ({ messageId, prompt: '', runId: undefined });
    const sent = (messageId: string, replaces?: string) => ({ ...turn(messageId), pending: { replaces } });
    const ids = (turns: readonly { messageId: string }[]) => turns.map(({ messageId }) => messageId);

    it('come last until the server knows them', () => {
      expect(ids(withPending([turn('a')], [turn('old'), sent('b'), sent('c')]))).toEqual(['a', 'b', 'c']);
      expect(ids(withPending([turn('a'), turn('b')], [sent('b')]))).toEqual(['a', 'b']);
    });

    it('take the place of what they replace, and of what followed it', () => {
      expect(ids(withPending([turn('a'), turn('b'), turn('c')], [sent('d', 'b')]))).toEqual(['a', 'd']);
    });
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
