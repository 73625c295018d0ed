/** The SharedWorker that holds the one event stream of this browser and passes it to every tab. */
import type { StreamMessage } from './protocol';
import { fetchSource } from './sse';
import { EventStream } from './stream';

/** What a tab says to the worker. */
export type TabMessage = { type: 'here'; lock: string } | { type: 'start' | 'restart' | 'hurry' | 'stop' | 'bye' };

const scope = globalThis as unknown as { onconnect: ((event: MessageEvent) => void) | null };
const tabs = new Set<MessagePort>();

const stream = new EventStream({
  source: fetchSource('/api/events'),
  emit: (message) => {
    for (const tab of tabs) tab.postMessage(message);
  },
});

scope.onconnect = (event) => {
  const tab = event.ports[0];
  if (!tab) return;
  tabs.add(tab);
  tab.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'start') {
      tab.postMessage({ type: 'state', state: stream.state } satisfies StreamMessage);
      stream.start();
    } else if (data.type === 'here') leaveWhenGone(tab, data.lock);
    else if (data.type === 'bye') leave(tab);
    else if (data.type === 'stop') signOut();
    else stream[data.type]();
  };
};

// Ports do not say when their tab dies. The tab holds a lock as long as it lives; once we get it, the tab is gone.
function leaveWhenGone(tab: MessagePort, lock: string): void {
  void navigator.locks?.request(lock, () => leave(tab));
}

// One tab has signed out: the others share its cookie.
function signOut(): void {
  if (stream.state === 'stopped') return;
  stream.stop();
  for (const tab of tabs) tab.postMessage({ type: 'event', event: { type: 'signedOut', body: { reason: '' } } } satisfies StreamMessage);
}

function leave(tab: MessagePort): void {
  tabs.delete(tab);
  if (tabs.size === 0) stream.stop();
}
