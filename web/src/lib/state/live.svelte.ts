/** Dispatches the server's events while the page is open: lists reload by themselves, and a broken connection is shown. */
import type { Hub } from '../events/hub';
import { openHub } from '../events/hub';
import type { ChangeKind, ServerEvent, StreamMessage, StreamState } from '../events/protocol';
import type { NumberedEvent } from '../run/events';

// A shorter interruption is not shown.
const QUIET_MS = 3_000;
// Many changes at once cause one reload.
const GATHER_MS = 80;

type Follower = { kinds: readonly ChangeKind[]; reload: () => void; timer?: ReturnType<typeof setTimeout> | undefined };

class Live {
  /** True when the stream has been down for longer than a moment. */
  broken = $state(false);
  #hub: Hub | undefined;
  #followers = new Set<Follower>();
  #listeners = new Set<(event: NumberedEvent) => void>();
  #signedOut: (reason: string) => void = () => {};
  #alarm: ReturnType<typeof setTimeout> | undefined;

  /** After signing in; `fresh` when the cookie is new and a stream of the old one must go. */
  begin(fresh: boolean): void {
    if (!this.#hub) {
      this.#hub = openHub((message) => this.#receive(message));
      addEventListener('online', () => this.#hub?.hurry());
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') this.#hub?.hurry();
      });
    }
    this.#hub.start();
    if (fresh) this.#hub.restart();
  }

  end(): void {
    this.#hub?.stop();
    this.#state('stopped');
  }

  hurry(): void {
    this.#hub?.hurry();
  }

  onSignedOut(callback: (reason: string) => void): void {
    this.#signedOut = callback;
  }

  /** Calls `reload` whenever something of these kinds may have changed; returns the function that stops it. */
  follow(kinds: readonly ChangeKind[], reload: () => void): () => void {
    const follower: Follower = { kinds, reload };
    this.#followers.add(follower);
    return () => {
      clearTimeout(follower.timer);
      this.#followers.delete(follower);
    };
  }

  /** Calls `receive` with every event of runs from now on; earlier ones are in their logs. Returns the function that stops it. */
  listen(receive: (event: NumberedEvent) => void): () => void {
    this.#listeners.add(receive);
    return () => void this.#listeners.delete(receive);
  }

  /** This page changed something itself: do not wait for the server's event. */
  changed(...kinds: ChangeKind[]): void {
    for (const follower of this.#followers) {
      if (follower.kinds.some((kind) => kinds.includes(kind))) this.#wake(follower);
    }
  }

  #receive(message: StreamMessage): void {
    if (message.type === 'state') this.#state(message.state);
    else this.#event(message.event);
  }

  #event(event: ServerEvent): void {
    if (event.type === 'signedOut') this.#signedOut(event.body.reason);
    else if (event.type === 'changed') this.changed(event.body.kind);
    else if (event.type === 'run') for (const receive of this.#listeners) receive(event.body);
    else for (const follower of this.#followers) this.#wake(follower);
  }

  #wake(follower: Follower): void {
    follower.timer ??= setTimeout(() => {
      follower.timer = undefined;
      follower.reload();
    }, GATHER_MS);
  }

  #state(state: StreamState): void {
    if (state === 'open' || state === 'stopped') {
      clearTimeout(this.#alarm);
      this.#alarm = undefined;
      this.broken = false;
    } else this.#alarm ??= setTimeout(() => (this.broken = true), QUIET_MS);
  }
}

export const live = new Live();
