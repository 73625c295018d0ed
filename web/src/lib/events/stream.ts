/** One connection to the server's events, kept alive: reconnects with backoff, remembers the last event's id.
 *
 * Knows nothing of tabs or workers; `hub.ts` decides where it runs, tests give it a source and a clock of their own.
 */
import { backoff } from './backoff';
import { readEvent, type StreamMessage, type StreamState } from './protocol';
import { Refused, type Source } from './sse';

export interface StreamOptions {
  source: Source;
  emit: (message: StreamMessage) => void;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  random?: () => number;
}

export class EventStream {
  state: StreamState = 'stopped';
  #options: Required<StreamOptions>;
  #running: AbortController | undefined;
  #wake: AbortController | undefined;
  #lastEventId: string | undefined;

  constructor(options: StreamOptions) {
    this.#options = { wait: pause, random: Math.random, ...options };
  }

  /** Begin, unless it is running already. */
  start(): void {
    if (this.#running) return;
    this.#running = new AbortController();
    void this.#run(this.#running.signal);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#set('stopped');
  }

  /** Another user has signed in: forget the position in the old stream. */
  restart(): void {
    this.stop();
    this.#lastEventId = undefined;
    this.start();
  }

  /** The network is back, or the user looks at the page again: do not wait any longer. */
  hurry(): void {
    this.#wake?.abort();
  }

  async #run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      this.#set(failures === 0 ? 'connecting' : 'down');
      try {
        for await (const frame of this.#options.source(this.#lastEventId, signal)) {
          if (signal.aborted) return;
          failures = 0;
          this.#set('open');
          this.#lastEventId = frame.id ?? this.#lastEventId;
          if (this.#pass(frame.event, frame.data)) return;
        }
      } catch (cause) {
        if (signal.aborted) return;
        if (cause instanceof Refused && cause.status === 401) return this.#signedOut();
      }
      failures += 1;
      this.#set('down');
      this.#wake = new AbortController();
      await this.#options.wait(backoff(failures, this.#options.random()), AbortSignal.any([signal, this.#wake.signal]));
    }
  }

  /** Hand on one event; true when it was the last one of this session. */
  #pass(name: string, data: string): boolean {
    const event = readEvent(name, data);
    if (!event) return false;
    this.#options.emit({ type: 'event', event });
    if (event.type !== 'signedOut') return false;
    this.stop();
    return true;
  }

  #signedOut(): void {
    this.#options.emit({ type: 'event', event: { type: 'signedOut', body: { reason: '' } } });
    this.stop();
  }

  #set(state: StreamState): void {
    if (state === this.state) return;
    this.state = state;
    this.#options.emit({ type: 'state', state });
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
