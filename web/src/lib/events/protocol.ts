/** The events the server sends to open browsers: hints to reload, and the events of runs. */
import { isNumberedEvent } from '../run/events';
import type { Events } from './schema';

type Name = keyof Events;
export type ChangeKind = Events['changed']['kind'];

/** An event by its name on the stream, with what it carries. */
export type ServerEvent = { [Each in Name]: { type: Each; body: Events[Each] } }[Name];

/** Whether the stream is up; `stopped` while signed out. */
export type StreamState = 'connecting' | 'open' | 'down' | 'stopped';

/** What travels from the one stream of this browser to its tabs. */
export type StreamMessage = { type: 'state'; state: StreamState } | { type: 'event'; event: ServerEvent };

const FITS: Record<Name, (body: Record<string, unknown>) => boolean> = {
  hello: () => true,
  changed: ({ kind, id }) => typeof kind === 'string' && typeof id === 'string',
  run: isNumberedEvent,
  signedOut: ({ reason }) => typeof reason === 'string',
};

/** Read one event of the stream; unknown names and damaged data are skipped, so that old pages outlive new servers. */
export function readEvent(name: string, data: string): ServerEvent | null {
  if (!Object.hasOwn(FITS, name)) return null;
  let body: unknown;
  try {
    body = data === '' ? {} : JSON.parse(data);
  } catch {
    return null;
  }
  if (typeof body !== 'object' || body === null || !FITS[name as Name](body as Record<string, unknown>)) return null;
  return { type: name, body } as ServerEvent;
}
