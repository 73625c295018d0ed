import { describe, expect, it } from 'vitest';
import type { RunEvent, Spoken } from '../src/lib/run/events';
import { blank, isBehind, reduce, type Picture, type TextItem } from '../src/lib/run/reduce';

const RUN = 'run';

function spoken(seq: number, event: RunEvent, attempt = 1): Spoken {
  return { runId: RUN, seq, attempt, event };
}

function chunk(seq: number, text: string, offset: number, attempt = 1, messageId = `m${attempt}`): Spoken {
  return spoken(seq, { type: 'chunk', messageId, attempt, offset, text }, attempt);
}

function replay(events: readonly Spoken[], from: Picture = blank(RUN)): Picture {
  return events.reduce(reduce, from);
}

const texts = ({ items }: Picture) => items.filter((item): item is TextItem => item.kind === 'text').map(({ text }) => text);

/** A whole run: a tool, an answer that broke off and was begun anew, a summary. */
const LOG: Spoken[] = [
  spoken(1, { type: 'status', state: 'running' }, 0),
  spoken(2, { type: 'agentProgress', round: 1, maxRounds: 8 }, 0),
  spoken(3, { type: 'message', messageId: 'm1', role: 'assistant', text: '' }),
  spoken(4, { type: 'toolCall', callId: 'c1', tool: 'search', arguments: { q: 'a' } }),
  spoken(5, { type: 'toolResult', callId: 'c1', tool: 'search', result: { status: 'ok', items: [1] }, durationMs: 12 }),
  spoken(6, { type: 'agentProgress', round: 2, maxRounds: 8 }),
  chunk(7, 'Half of an ans', 0, 2),
  chunk(8, 'Found ', 0, 3),
  chunk(9, 'one.', 6, 3),
  spoken(10, { type: 'message', messageId: 'm3', role: 'assistant', text: 'Found one.' }, 3),
  spoken(11, { type: 'agentSummary', state: 'completed', rounds: 2, toolCalls: 1, inputTokens: 20, outputTokens: 9, durationMs: 900 }, 3),
  spoken(12, { type: 'complete', state: 'completed' }, 3),
];

describe('the picture of a run', () => {
  it('is made of what it said', () => {
    expect(replay(LOG)).toEqual({
      runId: RUN,
      state: 'completed',
      seq: 12,
      heard: 12,
      round: 2,
      maxRounds: 8,
      items: [
        { kind: 'call', id: 'c1', tool: 'search', arguments: { q: 'a' }, result: { status: 'ok', items: [1] }, durationMs: 12 },
        { kind: 'text', id: 'm3', attempt: 0, text: 'Found one.', length: 0, done: true },
      ],
      summary: { rounds: 2, toolCalls: 1, inputTokens: 20, outputTokens: 9, durationMs: 900 },
      error: null,
    });
  });

  it('is the same however often the log is read, and wherever reading begins anew', () => {
    const whole = replay(LOG);
    expect(replay(LOG, whole)).toBe(whole);
    for (let seen = 0; seen <= LOG.length; seen += 1) expect(replay(LOG, replay(LOG.slice(0, seen)))).toEqual(whole);
  });

  it('ignores what it knows already, and what another run said', () => {
    const picture = replay(LOG.slice(0, 9));
    expect(reduce(picture, LOG[8]!)).toBe(picture);
    expect(reduce(picture, LOG[2]!)).toBe(picture);
    expect(reduce(picture, { ...LOG[9]!, runId: 'other' })).toBe(picture);
  });

  it('notices a gap, draws nothing beyond it, and is whole again with the log', () => {
    const early = replay([...LOG.slice(0, 7), LOG[9]!, LOG[8]!]);
    expect(isBehind(early)).toBe(true);
    expect([early.seq, early.heard, texts(early)]).toEqual([7, 10, ['Half of an ans']]);
    const partly = replay(LOG.slice(7, 9), early);
    expect(isBehind(partly)).toBe(true); // it has heard of 10
    const whole = replay(LOG.slice(7), early);
    expect([isBehind(whole), whole]).toEqual([false, replay(LOG)]);
  });

  it('drops what an abandoned attempt had streamed, under its own or under another message', () => {
    expect(texts(replay([chunk(1, 'Old', 0, 1), chunk(2, 'New', 0, 2)]))).toEqual(['New']);
    expect(texts(replay([chunk(1, 'Old', 0, 1, 'm'), chunk(2, 'New', 0, 2, 'm')]))).toEqual(['New']);
  });

  it('keeps the finished messages of earlier attempts', () => {
    const first = spoken(2, { type: 'message', messageId: 'm1', role: 'assistant', text: 'First.' });
    expect(texts(replay([chunk(1, 'Fir', 0), first, chunk(3, 'Second', 0, 2)]))).toEqual(['First.', 'Second']);
  });

  it('puts pieces where they belong, counting characters as the server does', () => {
    expect(texts(replay([chunk(1, '𝒜b', 0), chunk(2, 'c', 2), chunk(3, 'C!', 2)]))).toEqual(['𝒜bC!']);
  });

  it('replaces what was streamed by what was stored, and takes no more pieces for it', () => {
    const stored = spoken(2, { type: 'message', messageId: 'm1', role: 'assistant', text: 'Whole.' });
    expect(texts(replay([chunk(1, 'Who', 0), stored, chunk(3, 'le', 3)]))).toEqual(['Whole.']);
  });

  it('shows a call that is told again after a crash once', () => {
    const call: RunEvent = { type: 'toolCall', callId: 'c', tool: 'write', arguments: {} };
    expect(replay([spoken(1, call), spoken(2, call)]).items).toHaveLength(1);
  });

  it('keeps the partial text of a stopped run and of a failed one', () => {
    const stopped = replay([chunk(1, 'So far', 0), spoken(2, { type: 'stopped' })]);
    expect([stopped.state, texts(stopped)]).toEqual(['stopped', ['So far']]);
    const failed = replay([chunk(1, 'So far', 0), spoken(2, { type: 'error', code: 'modelFailed', message: 'Gone.' })]);
    expect([failed.state, failed.error, texts(failed)]).toEqual(['error', { code: 'modelFailed', message: 'Gone.' }, ['So far']]);
  });

  it('goes on over events of a newer server', () => {
    const news = spoken(1, { type: 'confetti' } as unknown as RunEvent);
    expect(replay([news, spoken(2, { type: 'complete', state: 'completed' })])).toMatchObject({ seq: 2, state: 'completed' });
  });
});
