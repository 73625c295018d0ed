import { describe, expect, it } from 'vitest';
import type { NumberedEvent, Pause, PauseAnswer, PauseState, RunEvent, ToolResult } from '../src/lib/run/events';
import { blank, byMessage, isBehind, openPause, reduce, type PauseItem, type RunView, type TextItem } from '../src/lib/run/reduce';

const RUN = 'run';
const RESULT: ToolResult = { status: 'ok', items: [1], message: '', untrusted: false, private: false };

function numbered(seq: number, event: RunEvent, attempt = 1): NumberedEvent {
  return { runId: RUN, seq, attempt, event };
}

function chunk(seq: number, text: string, offset: number, attempt = 1, messageId = `m${attempt}`): NumberedEvent {
  return numbered(seq, { type: 'chunk', messageId, attempt, offset, text, since: null }, attempt);
}

function replay(events: readonly NumberedEvent[], from: RunView = blank(RUN)): RunView {
  return events.reduce(reduce, from);
}

const texts = ({ items }: RunView) => items.filter((item): item is TextItem => item.kind === 'text').map(({ text }) => text);

/** A whole run: a tool, an answer that broke off and was begun anew, a summary. */
const LOG: NumberedEvent[] = [
  numbered(1, { type: 'status', state: 'running', text: '', place: null, activity: null }, 0),
  numbered(2, { type: 'agentProgress', round: 1, maxRounds: 8 }, 0),
  numbered(3, { type: 'message', messageId: 'm1', role: 'assistant', text: '' }),
  numbered(4, { type: 'toolCall', callId: 'c1', tool: 'search', arguments: { q: 'a' }, private: false }),
  numbered(5, { type: 'toolResult', callId: 'c1', tool: 'search', result: RESULT, durationMs: 12 }),
  numbered(6, { type: 'agentProgress', round: 2, maxRounds: 8 }),
  chunk(7, 'Half of an ans', 0, 2),
  chunk(8, 'Found ', 0, 3),
  chunk(9, 'one.', 6, 3),
  numbered(10, { type: 'message', messageId: 'm3', role: 'assistant', text: 'Found one.' }, 3),
  numbered(11, { type: 'agentSummary', state: 'completed', rounds: 2, toolCalls: 1, inputTokens: 20, outputTokens: 9, costCHF: '0.0031', costAssumed: true, model: 'm', reason: '', durationMs: 900 }, 3),
  numbered(12, { type: 'complete', state: 'completed', nextAgent: null }, 3),
];

describe('the view of a run', () => {
  it('says what it does and waits for', () => {
    const running = { type: 'status', state: 'running', text: '', place: null, activity: null, details: {} } as const;
    const events = [
      numbered(1, running, 0),
      numbered(2, { type: 'agentProgress', round: 1, maxRounds: 8 }, 0),
      numbered(3, { ...running, activity: 'retry', details: { provider: 'openai', seconds: '2' } }),
      numbered(4, { ...running, activity: 'otherModel', details: { model: 'm' } }),
      chunk(5, 'Yes', 0),
    ];
    const seen = events.map((_, index) => replay(events.slice(0, index + 1)).doing.activity);
    expect([replay([]).doing.activity, ...seen]).toEqual(['queued', 'reading', 'model', 'retry', 'otherModel', 'writing']);
    expect(replay(events.slice(0, 3)).doing.details).toEqual({ provider: 'openai', seconds: '2' });
  });

  it('has what the model thought before its words, of the last attempt alone', () => {
    const thought = (seq: number, text: string, offset: number, attempt: number): NumberedEvent => numbered(seq, { type: 'thought', messageId: 'm', attempt, offset, text, since: null }, attempt);
    const view = replay([thought(1, 'Void', 0, 1), thought(2, 'Let me ', 0, 2), thought(3, 'see.', 7, 2), chunk(4, 'Yes.', 0, 2, 'm')]);
    expect(view.items.map((item) => [item.kind, 'text' in item && item.text])).toEqual([['thought', 'Let me see.'], ['text', 'Yes.']]);
    const over = replay([numbered(5, { type: 'message', messageId: 'm', role: 'assistant', text: 'Yes.' }, 2)], view);
    expect(over.items.map((item) => 'done' in item && item.done)).toEqual([true, true]);
  });

  it('is made of what it said', () => {
    expect(replay(LOG)).toEqual({
      runId: RUN,
      state: 'completed',
      doing: { activity: 'writing', details: {} },
      seq: 12,
      lastSeenSeq: 12,
      round: 2,
      maxRounds: 8,
      items: [
        { kind: 'call', id: 'c1', tool: 'search', arguments: { q: 'a' }, result: RESULT, durationMs: 12 },
        { kind: 'text', id: 'm3', attempt: 0, text: 'Found one.', length: 0, done: true },
      ],
      actions: [],
      messages: ['m1', 'm3'],
      summary: { rounds: 2, toolCalls: 1, inputTokens: 20, outputTokens: 9, costCHF: '0.0031', costAssumed: true, model: 'm', reason: '', durationMs: 900 },
      place: null,
      handedTo: null,
      error: null,
    });
  });

  it('has a place in the queue until the run begins', () => {
    const waits = (seq: number, place: number) => numbered(seq, { type: 'status', state: 'queued', text: '', place, activity: null }, 0);
    const begins = numbered(3, { type: 'status', state: 'running', text: '', place: null, activity: null }, 0);
    expect(replay([waits(1, 3)])).toMatchObject({ state: 'queued', place: 3 });
    expect(replay([waits(1, 3), waits(2, 1)]).place).toBe(1);
    expect(replay([waits(1, 3), waits(2, 1), begins])).toMatchObject({ state: 'running', place: null });
  });

  it('has the files that calls have made below those calls, each once', () => {
    const made = (seq: number, callId: string, fileId: string, version = 1) => numbered(seq, { type: 'fileCreated', callId, fileId, name: `${fileId}.md`, version });
    const call = (seq: number, callId: string) => numbered(seq, { type: 'toolCall', callId, tool: 'writeFile', arguments: {}, private: false });
    const runView = replay([call(1, 'c1'), call(2, 'c2'), made(3, 'c1', 'a'), made(4, 'c1', 'b'), made(5, 'c2', 'a', 2), made(6, 'c1', 'a')]);
    expect(runView.items.map(({ id }) => id)).toEqual(['c1', 'c1/a', 'c1/b', 'c2', 'c2/a']);
    expect(replay([made(1, 'c9', 'a')]).items).toEqual([{ kind: 'file', id: 'c9/a', fileId: 'a', name: 'a.md', version: 1 }]);
    const version = numbered(1, { type: 'fileVersion', callId: 'c9', fileId: 'a', name: 'a.md', version: 3 });
    expect(replay([version]).items).toEqual([{ kind: 'file', id: 'c9/a', fileId: 'a', name: 'a.md', version: 3 }]);
  });

  it('keeps the requested actions with their numbers', () => {
    const action = { type: 'openFile', payload: { fileId: 'a' } };
    expect(replay([LOG[0]!, numbered(2, { type: 'action', action })]).actions).toEqual([{ seq: 2, messageId: null, action }]);
  });

  it('knows of each action in which message it was requested, once that is complete', () => {
    const acts = (seq: number, type: string) => numbered(seq, { type: 'action', action: { type, payload: {} } });
    const stored = (seq: number, messageId: string, role = 'assistant') => numbered(seq, { type: 'message', messageId, role, text: '' });
    const runView = replay([acts(1, 'a'), stored(2, 'm1'), stored(3, 'm2'), acts(4, 'b'), acts(5, 'c'), stored(6, 'm3'), stored(7, 'u', 'user'), acts(8, 'd'), stored(9, 'm3')]);
    const requested = byMessage(runView).map(({ messageId, actions }) => [messageId, actions.map(({ type }) => type).join('')]);
    expect(requested).toEqual([['m1', 'a'], ['m2', ''], ['m3', 'bc'], [null, 'd']]);
  });

  it('has a plan with what became of its steps, the newest word counting', () => {
    const plan = { version: 1 as const, fallback: false, requestId: 'r', steps: ['goto_address', 'load_layer'].map((intent) => ({ intent, toolCalls: [], result: { status: 'pending' as const, message: '' } })) };
    const step = (seq: number, index: number, status: 'ok' | 'error' | 'needs_user_choice', message: string) => numbered(seq, { type: 'planStep', index, intent: plan.steps[index]?.intent ?? '?', status, message, private: false });
    const made = numbered(1, { type: 'plan', messageId: 'm', plan });
    expect(replay([made]).items).toEqual([{ kind: 'plan', id: 'm/plan', steps: plan.steps.map(({ intent }) => ({ intent, status: null, message: '' })) }]);
    const done = replay([made, step(2, 0, 'needs_user_choice', 'Which?'), step(3, 0, 'ok', 'There.'), step(4, 7, 'ok', 'No such step'), { ...made, seq: 5 }]);
    expect(done.items).toEqual([
      { kind: 'plan', id: 'm/plan', steps: [{ intent: 'goto_address', status: 'ok', message: 'There.' }, { intent: 'load_layer', status: null, message: '' }] },
    ]);
    expect(replay([step(1, 0, 'ok', 'Of nothing')]).items).toEqual([]);
  });

  it('is the same however often the log is read, and wherever reading begins anew', () => {
    const whole = replay(LOG);
    expect(replay(LOG, whole)).toBe(whole);
    for (let seen = 0; seen <= LOG.length; seen += 1) expect(replay(LOG, replay(LOG.slice(0, seen)))).toEqual(whole);
  });

  it('ignores what it knows already, and what another run said', () => {
    const runView = replay(LOG.slice(0, 9));
    expect(reduce(runView, LOG[8]!)).toBe(runView);
    expect(reduce(runView, LOG[2]!)).toBe(runView);
    expect(reduce(runView, { ...LOG[9]!, runId: 'other' })).toBe(runView);
  });

  it('notices a gap, draws nothing beyond it, and is whole again with the log', () => {
    const early = replay([...LOG.slice(0, 7), LOG[9]!, LOG[8]!]);
    expect(isBehind(early)).toBe(true);
    expect([early.seq, early.lastSeenSeq, texts(early)]).toEqual([7, 10, ['Half of an ans']]);
    const partly = replay(LOG.slice(7, 9), early);
    expect(isBehind(partly)).toBe(true); // it has received 10
    const whole = replay(LOG.slice(7), early);
    expect([isBehind(whole), whole]).toEqual([false, replay(LOG)]);
  });

  it('drops what an abandoned attempt had streamed, under its own or under another message', () => {
    expect(texts(replay([chunk(1, 'Old', 0, 1), chunk(2, 'New', 0, 2)]))).toEqual(['New']);
    expect(texts(replay([chunk(1, 'Old', 0, 1, 'm'), chunk(2, 'New', 0, 2, 'm')]))).toEqual(['New']);
  });

  it('keeps the finished messages of earlier attempts', () => {
    const first = numbered(2, { type: 'message', messageId: 'm1', role: 'assistant', text: 'First.' });
    expect(texts(replay([chunk(1, 'Fir', 0), first, chunk(3, 'Second', 0, 2)]))).toEqual(['First.', 'Second']);
  });

  it('puts pieces where they belong, counting characters as the server does', () => {
    expect(texts(replay([chunk(1, '𝒜b', 0), chunk(2, 'c', 2), chunk(3, 'C!', 2)]))).toEqual(['𝒜bC!']);
  });

  it('takes a piece that was made of several, wherever it had been', () => {
    const whole: NumberedEvent = numbered(4, { type: 'chunk', messageId: 'm1', attempt: 1, offset: 0, text: 'abcd', since: 1 });
    const pieces = [chunk(1, 'a', 0), chunk(2, 'b', 1), chunk(3, 'c', 2)];
    for (let seen = 0; seen <= pieces.length; seen += 1) {
      const runView = replay([...pieces.slice(0, seen), whole]);
      expect([runView.seq, isBehind(runView), texts(runView)]).toEqual([4, false, ['abcd']]);
    }
    expect(isBehind(replay([numbered(4, { ...whole.event, since: 2 } as RunEvent)]))).toBe(true);
  });

  it('replaces what was streamed by what was stored, and takes no more pieces for it', () => {
    const stored = numbered(2, { type: 'message', messageId: 'm1', role: 'assistant', text: 'Whole.' });
    expect(texts(replay([chunk(1, 'Who', 0), stored, chunk(3, 'le', 3)]))).toEqual(['Whole.']);
  });

  it('shows a call that is told again after a crash once', () => {
    const call: RunEvent = { type: 'toolCall', callId: 'c', tool: 'write', arguments: {}, private: false };
    expect(replay([numbered(1, call), numbered(2, call)]).items).toHaveLength(1);
  });

  it('keeps the partial text of a stopped run and of a failed one', () => {
    const stopped = replay([chunk(1, 'So far', 0), numbered(2, { type: 'stopped' })]);
    expect([stopped.state, texts(stopped)]).toEqual(['stopped', ['So far']]);
    const failed = replay([chunk(1, 'So far', 0), numbered(2, { type: 'error', code: 'modelFailed', message: 'Gone.' })]);
    expect([failed.state, failed.error, texts(failed)]).toEqual(['error', { code: 'modelFailed', message: 'Gone.', details: {} }, ['So far']]);
  });

  it('goes on over events of a newer server', () => {
    const news = numbered(1, { type: 'confetti' } as unknown as RunEvent);
    expect(replay([news, numbered(2, { type: 'complete', state: 'completed', nextAgent: null })])).toMatchObject({ seq: 2, state: 'completed' });
  });
});

describe('a pause', () => {
  const question: Pause = { kind: 'question', version: 1, text: 'Which one?' };
  const call = (seq: number, callId: string) => numbered(seq, { type: 'toolCall', callId, tool: 'ask', arguments: {}, private: false });
  const pause = (seq: number, callId: string, state: PauseState, answer: PauseAnswer | null = null) =>
    numbered(seq, { type: 'choice', callId, tool: 'ask', state, pause: question, answer });
  const paused = (seq: number) => numbered(seq, { type: 'status', state: 'paused', text: '', place: null, activity: null });
  const kinds = ({ items }: RunView) => items.map(({ kind, id }) => `${kind} ${id}`);

  it('stands after its call, and keeps the run waiting until it is answered', () => {
    const waiting = replay([call(1, 'a'), call(2, 'b'), pause(3, 'a', 'waiting'), paused(4)]);
    expect(kinds(waiting)).toEqual(['call a', 'pause a?', 'call b']);
    expect(openPause(waiting)).toMatchObject({ callId: 'a', pause: question });
    const answered = replay([pause(5, 'a', 'answered', { kind: 'question', text: 'This.' })], waiting);
    expect(kinds(answered)).toEqual(kinds(waiting));
    expect((answered.items[1] as PauseItem).answer).toEqual({ kind: 'question', text: 'This.' });
    expect(openPause(answered)).toBeUndefined();
  });

  it('that was set aside stays, without an answer', () => {
    const aside = replay([call(1, 'a'), pause(2, 'a', 'waiting'), pause(3, 'a', 'dismissed')]);
    expect([kinds(aside), (aside.items[1] as PauseItem).answer, openPause(aside)]).toEqual([['call a', 'pause a?'], null, undefined]);
  });

  it('of a run that was stopped waits for nobody', () => {
    expect(openPause(replay([call(1, 'a'), pause(2, 'a', 'waiting'), numbered(3, { type: 'stopped' })]))).toBeUndefined();
  });

  it('is there even when nobody told of its call', () => {
    expect(kinds(replay([chunk(1, 'Hm', 0), pause(2, 'a', 'waiting')]))).toEqual(['text m1', 'pause a?']);
  });
});
