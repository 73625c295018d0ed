/** Whether the conversation about a project is open beside it: by itself, until it is closed. Small, because the frame of every
 * page looks at it. */
import { tick } from 'svelte';
import { recall, remember } from '../../device';
import { panes } from '../../state/panes.svelte';

const KEY = 'projectChat';

class ChatPanel {
  isOpen = $state(recall(KEY) !== 'closed');

  get isShown(): boolean {
    return this.isOpen && panes.shown('right');
  }

  /** Also when its pane was hidden. */
  open(): void {
    this.isOpen = true;
    remember(KEY, 'open');
    void tick().then(() => panes.reveal('right'));
  }

  /** Closing it moves the focus back to the button that opens it. A sheet only makes way. */
  close(): void {
    if (panes.sheet === null) {
      this.isOpen = false;
      remember(KEY, 'closed');
    }
    void tick().then(() => document.querySelector<HTMLElement>('[data-project-chat]')?.focus({ preventScroll: true }));
  }
}

export const chatPanel = new ChatPanel();
