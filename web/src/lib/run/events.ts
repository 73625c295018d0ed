/** What a run says, as it travels: the events of one answer in the making, numbered without gaps. */
import type { components } from '../events/schema';

type Schemas = components['schemas'];

/** One event with its place in the run. `attempt` says which try of a model call it belongs to. */
export type Spoken = Schemas['RunSaid'];
export type RunEvent = Spoken['event'];
export type RunState = Schemas['RunState'];
export type ToolResult = Schemas['ToolResult'];
export type Told<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** What a run asks a person, how far that is, and what can be answered. */
export type Pause = Told<'choice'>['pause'];
export type PauseKind = Pause['kind'];
export type PauseState = Told<'choice'>['state'];
export type PauseAnswer = NonNullable<Told<'choice'>['answer']>;
export type PauseOf<Kind extends PauseKind> = Extract<Pause, { kind: Kind }>;
export type Option = PauseOf<'choice'>['options'][number];

export function isOver(state: RunState): boolean {
  return state !== 'queued' && state !== 'running' && state !== 'paused';
}

/** Whether this has the shape of a spoken event; what its event means is the reducer's business. */
export function isSpoken(body: Record<string, unknown>): boolean {
  const event = body['event'] as Record<string, unknown> | null | undefined;
  return (
    typeof body['runId'] === 'string' &&
    Number.isSafeInteger(body['seq']) &&
    Number.isSafeInteger(body['attempt']) &&
    typeof event === 'object' &&
    typeof event?.['type'] === 'string'
  );
}
