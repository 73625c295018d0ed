/** The log of a run: its events after a number, page by page. */
import { api, take } from '../api/client';
import type { NumberedEvent, RunState } from './events';

export interface LogPage {
  items: NumberedEvent[];
  state: RunState;
}

export async function readLog(runId: string, after: number): Promise<LogPage> {
  return (await take(api.GET('/api/runs/{runId}/log', { params: { path: { runId }, query: { after } } }))) as LogPage;
}
