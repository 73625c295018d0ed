/** Where the one event stream of this browser runs: in a SharedWorker; else in the tab that leads; else in each tab. */
import type { StreamMessage } from './protocol';
import { fetchSource } from './sse';
import { EventStream } from './stream';
import type { TabMessage } from './worker';

export interface Hub {
  start(): void;
  restart(): void;
  hurry(): void;
  stop(): void;
}

export function openHub(receive: (message: StreamMessage) => void): Hub {
  if (typeof SharedWorker !== 'undefined') return sharedHub(receive);
  if (typeof BroadcastChannel !== 'undefined' && 'locks' in navigator) return leadingHub(receive);
  return new EventStream({ source: fetchSource('/api/events'), emit: receive });
}

function sharedHub(receive: (message: StreamMessage) => void): Hub {
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'workroom-events' });
  const send = (message: TabMessage) => worker.port.postMessage(message);
  // Only a lock we hold may be told: the worker takes a free one as the sign that this tab is gone.
  const lock = `workroom-tab-${Math.random().toString(36).slice(2)}`;
  void navigator.locks?.request(lock, () => {
    send({ type: 'here', lock });
    return new Promise(() => {});
  });
  worker.port.onmessage = ({ data }: MessageEvent<StreamMessage>) => receive(data);
  addEventListener('pagehide', (event) => {
    if (!event.persisted) send({ type: 'bye' });
  });
  return {
    start: () => send({ type: 'start' }),
    restart: () => send({ type: 'restart' }),
    hurry: () => send({ type: 'hurry' }),
    stop: () => send({ type: 'stop' }),
  };
}

// Without SharedWorker: the tab that gets the lock opens the stream and passes events on; when it closes, the next one leads.
function leadingHub(receive: (message: StreamMessage) => void): Hub {
  const channel = new BroadcastChannel('workroom-events');
  const stream = new EventStream({
    source: fetchSource('/api/events'),
    emit: (message) => {
      receive(message);
      channel.postMessage(message);
    },
  });
  let leads = false;
  let asked = false;
  channel.onmessage = ({ data }: MessageEvent<StreamMessage | TabMessage>) => {
    if (data.type === 'state' || data.type === 'event') receive(data);
    else if (leads && data.type === 'start') channel.postMessage({ type: 'state', state: stream.state } satisfies StreamMessage);
    else if (leads && data.type !== 'bye' && data.type !== 'here') stream[data.type]();
  };
  const tell = (type: 'restart' | 'hurry' | 'stop') => (leads ? stream[type]() : channel.postMessage({ type } satisfies TabMessage));
  return {
    start() {
      if (leads) return stream.start();
      channel.postMessage({ type: 'start' } satisfies TabMessage);
      if (asked) return;
      asked = true;
      void navigator.locks.request('workroom-events', () => {
        leads = true;
        stream.start();
        return new Promise(() => {});
      });
    },
    restart: () => tell('restart'),
    hurry: () => tell('hurry'),
    stop: () => tell('stop'),
  };
}
