/** Whether the conversation on the screen has a map, and whether it is open beside it: by itself, until it is closed.
 * Small, because the frame of every page looks at it. */
import { tick } from 'svelte';
import { forget, recall, remember } from '../device';
import { panes } from '../state/panes.svelte';
import { page } from '../state/route.svelte';

class MapPanel {
  #of = $state<string | null>(null);
  #closed = $state(false);
  /** As large as there is room, the chat over it. */
  large = $state(recall('map.size') === 'large');

  /** The conversation on the screen has one; returns the way to say that it has not any more. */
  belongs(conversation: string): () => void {
    this.#of = conversation;
    this.#closed = recall(closedAt(conversation)) === 'yes';
    return () => {
      if (this.#of === conversation) this.#of = null;
    };
  }

  isThere(conversation: string | undefined): boolean {
    return conversation !== undefined && this.#of === conversation;
  }

  isOpen(conversation: string | undefined): boolean {
    return this.isThere(conversation) && !this.#closed;
  }

  /** Something happens on it: it is opened, also after it was closed. Not on a narrow screen, where it would hide the conversation. */
  wake(conversation: string): void {
    forget(closedAt(conversation));
    if (this.#of === conversation) this.#closed = false;
  }

  /** Also when something else stands in its place. */
  open(): void {
    if (this.#of !== null) this.wake(this.#of);
    if (page.query) page.go(page.path);
    void tick().then(() => panes.reveal('right'));
  }

  /** Closing it moves the focus back to the button that opens it. A sheet only makes way. */
  close(): void {
    if (this.#of !== null && panes.sheet === null) {
      this.#closed = true;
      remember(closedAt(this.#of), 'yes');
    }
    void tick().then(() => document.querySelector<HTMLElement>('[data-map]')?.focus({ preventScroll: true }));
  }

  enlarge(): void {
    this.large = !this.large;
    remember('map.size', this.large ? 'large' : 'beside');
  }
}

function closedAt(conversation: string): string {
  return `map.closed.${conversation}`;
}

export const mapPanel = new MapPanel();
