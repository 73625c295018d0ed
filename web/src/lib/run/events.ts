/** The events of a run as they are sent: numbered without gaps. */
import type { components } from '../events/schema';

type Schemas = components['schemas'];

/** One event with its number in the run. `attempt` says which attempt of a model call it belongs to. */
export type NumberedEvent = Schemas['NumberedEvent'];
export type RunEvent = NumberedEvent['event'];
export type RunState = Schemas['RunState'];
export type ToolResult = Schemas['ToolResult'];
export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** What a run asks the page to do: open a file, change the map. */
export type UiAction = EventOf<'action'>['action'];

/** What a run asks a person, how far that is, and what can be answered. */
export type Pause = EventOf<'choice'>['pause'];
export type PauseKind = Pause['kind'];
export type PauseState = EventOf<'choice'>['state'];
export type PauseAnswer = NonNullable<EventOf<'choice'>['answer']>;
export type PauseOf<Kind extends PauseKind> = Extract<Pause, { kind: Kind }>;
export type Option = PauseOf<'choice'>['options'][number];

export function isOver(state: RunState): boolean {
  return state !== 'queued' && state !== 'running' && state !== 'paused';
}

/** Whether this has the shape of a numbered event; what its event means is the reducer's business. */
export function isNumberedEvent(body: Record<string, unknown>): boolean {
  const event = body['event'] as Record<string, unknown> | null | undefined;
  return (
    typeof body['runId'] === 'string' &&
    Number.isSafeInteger(body['seq']) &&
    Number.isSafeInteger(body['attempt']) &&
    typeof event === 'object' &&
    typeof event?.['type'] === 'string'
  );
}
