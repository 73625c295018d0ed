import { describe, expect, it } from 'vitest';
import { backoff } from '../src/lib/events/backoff';
import { readEvent, type StreamMessage } from '../src/lib/events/protocol';
import { FrameParser, Refused, type Frame, type Source } from '../src/lib/events/sse';
import { EventStream } from '../src/lib/events/stream';

const frame = (event: string, data: object = {}, id?: string): Frame => ({ id, event, data: JSON.stringify(data) });

/** Plays one script per connection; the last one stays open until it is aborted. */
function scripted(...scripts: (Frame[] | Error)[]) {
  const asked: (string | undefined)[] = [];
  const source: Source = async function* (lastEventId, signal) {
    const script = scripts[asked.length];
    asked.push(lastEventId);
    if (script instanceof Error) throw script;
    yield* script ?? [];
    if (asked.length >= scripts.length) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  };
  return { source, asked };
}

/** A stream over scripts, and a promise for the moment when `count` messages have come out. */
function played(count: number, ...scripts: (Frame[] | Error)[]) {
  const { source, asked } = scripted(...scripts);
  const messages: StreamMessage[] = [];
  const waits: number[] = [];
  let enough: () => void;
  const done = new Promise<void>((resolve) => (enough = resolve));
  const stream = new EventStream({
    source,
    emit: (message) => {
      messages.push(message);
      if (messages.length === count) enough();
    },
    wait: (ms) => (waits.push(ms), Promise.resolve()),
    random: () => 1,
  });
  stream.start();
  const said = () => messages.map((message) => (message.type === 'state' ? message.state : message.event.type));
  return { stream, asked, waits, said, done };
}

describe('what a run says', () => {
  const body = { runId: 'r', seq: 3, attempt: 1, event: { type: 'stopped' } };

  it('is read as it is', () => {
    expect(readEvent('run', JSON.stringify(body))).toEqual({ type: 'run', body });
  });

  it.each([{ ...body, seq: '3' }, { ...body, event: null }, { ...body, event: {} }, { seq: 1 }])('is skipped when it is damaged', (damaged) => {
    expect(readEvent('run', JSON.stringify(damaged))).toBeNull();
  });
});

describe('frames', () => {
  const text = 'retry: 5\n: comment\nid: 7\nevent: changed\ndata: {"a":\ndata: 1}\n\nevent: hello\r\ndata: {}\r\n\r\n';

  it('come out whole however the text is cut', () => {
    const whole = new FrameParser().push(text);
    expect(whole).toEqual([
      { id: '7', event: 'changed', data: '{"a":\n1}' },
      { id: '7', event: 'hello', data: '{}' },
    ]);
    for (let size = 1; size < text.length; size += 1) {
      const parser = new FrameParser();
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(whole);
    }
  });

  it('are not made of comments alone', () => {
    expect(new FrameParser().push(': keep-alive\n\n')).toEqual([]);
  });
});

describe('events', () => {
  it('are read', () => {
    expect(readEvent('changed', '{"kind":"user","id":"1"}')).toEqual({ type: 'changed', body: { kind: 'user', id: '1' } });
    expect(readEvent('hello', '')).toEqual({ type: 'hello', body: {} });
    expect(readEvent('signedOut', '{"reason":"sessionEnded"}')).toEqual({ type: 'signedOut', body: { reason: 'sessionEnded' } });
  });

  it('unknown or damaged, are skipped', () => {
    expect(readEvent('somethingNew', '{}')).toBeNull();
    expect(readEvent('changed', '{"kind":')).toBeNull();
    expect(readEvent('changed', 'null')).toBeNull();
    expect(readEvent('changed', '{}')).toBeNull();
  });
});

describe('the stream', () => {
  it('opens and passes events on', async () => {
    const { done, said, stream } = played(4, [frame('hello'), frame('changed', { kind: 'user', id: '1' })]);
    await done;
    expect(said()).toEqual(['connecting', 'open', 'hello', 'changed']);
    stream.stop();
  });

  it('comes back after a break with the id of the last event', async () => {
    const { done, said, asked, stream } = played(6, [frame('hello', {}, '41')], [frame('hello')]);
    await done;
    expect(said()).toEqual(['connecting', 'open', 'hello', 'down', 'open', 'hello']);
    expect(asked).toEqual([undefined, '41']);
    stream.stop();
  });

  it('waits longer after each failure, and begins anew after a success', async () => {
    const down = new Error('down');
    const { done, waits, stream } = played(7, down, down, new Refused(503), [frame('hello')], [frame('hello')]);
    await done;
    expect(waits).toEqual([500, 1000, 2000, 500]);
    stream.stop();
  });

  it('ends when nobody is signed in, and does not come back', async () => {
    const { done, said, asked } = played(3, new Refused(401), [frame('hello')]);
    await done;
    expect(said()).toEqual(['connecting', 'signedOut', 'stopped']);
    expect(asked).toHaveLength(1);
  });

  it('ends after the server has said so', async () => {
    const { done, said, asked } = played(5, [frame('hello'), frame('signedOut', { reason: 'sessionEnded' })], [frame('hello')]);
    await done;
    expect(said()).toEqual(['connecting', 'open', 'hello', 'signedOut', 'stopped']);
    expect(asked).toHaveLength(1);
  });

  it('forgets the old place when somebody else has signed in', async () => {
    const { done, said, asked, stream } = played(3, [frame('hello', {}, '41')], []);
    await done;
    stream.restart();
    expect(asked).toEqual([undefined, undefined]);
    expect(said().slice(-2)).toEqual(['stopped', 'connecting']);
    stream.stop();
  });
});

describe('backoff', () => {
  it('grows to a ceiling and is spread over half of it', () => {
    expect(backoff(1, 0)).toBe(250);
    expect(backoff(1, 1)).toBe(500);
    expect(backoff(50, 1)).toBe(20_000);
    expect(backoff(50, 0)).toBe(10_000);
  });
});
