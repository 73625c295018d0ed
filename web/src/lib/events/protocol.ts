/** What the server tells open browsers: hints to look again, and what runs say while they run. */
import { isSpoken, type Spoken } from '../run/events';

export type ChangeKind = 'conversation' | 'run' | 'mandate' | 'user' | 'role' | 'instance' | 'member' | 'token' | 'session';

export type ServerEvent =
  | { type: 'hello' }
  | { type: 'changed'; kind: ChangeKind; id: string }
  | { type: 'run'; spoken: Spoken }
  | { type: 'signedOut'; reason: string };

/** Whether the stream is up; `stopped` when nobody is signed in. */
export type StreamState = 'connecting' | 'open' | 'down' | 'stopped';

/** What travels from the one stream of this browser to its tabs. */
export type StreamMessage = { type: 'state'; state: StreamState } | { type: 'event'; event: ServerEvent };

/** Read one event of the stream; unknown names and damaged data are skipped, so that old pages outlive new servers. */
export function readEvent(name: string, data: string): ServerEvent | null {
  let body: Record<string, unknown>;
  try {
    const parsed: unknown = data === '' ? {} : JSON.parse(data);
    if (typeof parsed !== 'object' || parsed === null) return null;
    body = parsed as Record<string, unknown>;
  } catch {
    return null;
  }
  if (name === 'hello') return { type: 'hello' };
  if (name === 'changed' && typeof body['kind'] === 'string' && typeof body['id'] === 'string') {
    return { type: 'changed', kind: body['kind'] as ChangeKind, id: body['id'] };
  }
  if (name === 'run' && isSpoken(body)) return { type: 'run', spoken: body as unknown as Spoken };
  if (name === 'signedOut') return { type: 'signedOut', reason: typeof body['reason'] === 'string' ? body['reason'] : '' };
  return null;
}
