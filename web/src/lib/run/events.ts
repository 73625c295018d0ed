/** What a run says, as it travels: the events of one answer in the making, numbered without gaps. */
import type { Run } from '../api/types';

export type RunState = Run['state'];

export interface ToolResult {
  status: string;
  message?: string;
  items?: unknown[];
  data?: Record<string, unknown>;
}

export type RunEvent =
  | { type: 'status'; state: RunState; text?: string }
  | { type: 'agentProgress'; round: number; maxRounds: number }
  | { type: 'chunk'; messageId: string; attempt: number; offset: number; text: string }
  | { type: 'message'; messageId: string; role: string; text: string }
  | { type: 'toolCall'; callId: string; tool: string; arguments: Record<string, unknown> }
  | { type: 'toolResult'; callId: string; tool: string; result: ToolResult; durationMs: number }
  | { type: 'action'; action: unknown }
  | { type: 'agentSummary'; state: RunState; rounds: number; toolCalls: number; inputTokens: number; outputTokens: number; durationMs: number }
  | { type: 'complete'; state: RunState }
  | { type: 'stopped' }
  | { type: 'error'; code: string; message: string };

/** One event with its place in the run. `attempt` says which try of a model call it belongs to. */
export interface Spoken {
  runId: string;
  seq: number;
  attempt: number;
  event: RunEvent;
}

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
