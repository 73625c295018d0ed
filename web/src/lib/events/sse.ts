/** Server-sent events over `fetch`: unlike EventSource it tells the status, and lets us decide when to come back. */

export interface Frame {
  id: string | undefined;
  event: string;
  data: string;
}

/** Turns text as it arrives, cut anywhere, into frames. */
export class FrameParser {
  #rest = '';
  #id: string | undefined;
  #event = '';
  #data: string[] = [];

  push(text: string): Frame[] {
    const frames: Frame[] = [];
    // A carriage return at the very end may be half of a CRLF: it waits for the next piece.
    const whole = this.#rest + text;
    const lines = whole.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const frame = this.#line(line);
      if (frame) frames.push(frame);
    }
    return frames;
  }

  #line(line: string): Frame | undefined {
    if (line === '') return this.#finish();
    if (line.startsWith(':')) return undefined;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#event = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    return undefined;
  }

  #finish(): Frame | undefined {
    const frame = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') };
    const empty = this.#data.length === 0 && this.#event === '';
    this.#event = '';
    this.#data = [];
    return empty ? undefined : frame;
  }
}

/** The server refused the stream with this status. */
export class Refused extends Error {
  constructor(readonly status: number) {
    super(`The event stream was refused with status ${status}.`);
  }
}

/** How to open the stream; tests give another one. */
export type Source = (lastEventId: string | undefined, signal: AbortSignal) => AsyncIterable<Frame>;

// The server sends something (at least a comment) far more often; a silent stream is a dead one.
const SILENCE_MS = 60_000;

export function fetchSource(url: string): Source {
  return async function* (lastEventId, signal) {
    const dead = new AbortController();
    const both = AbortSignal.any([signal, dead.signal]);
    const headers = { Accept: 'text/event-stream', ...(lastEventId ? { 'Last-Event-ID': lastEventId } : {}) };
    const response = await fetch(url, { headers, signal: both, cache: 'no-store', credentials: 'same-origin' });
    if (!response.ok || !response.body) throw new Refused(response.status);
    const reader = response.body.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>).getReader();
    const parser = new FrameParser();
    let alarm: ReturnType<typeof setTimeout> | undefined;
    const listen = () => {
      clearTimeout(alarm);
      alarm = setTimeout(() => dead.abort(), SILENCE_MS);
    };
    try {
      for (listen(); ; listen()) {
        const { done, value } = await reader.read();
        if (done) return;
        yield* parser.push(value);
      }
    } finally {
      clearTimeout(alarm);
      dead.abort();
    }
  };
}
