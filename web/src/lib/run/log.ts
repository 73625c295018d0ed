/** The log of a run: everything it said after a number, page by page. */
import { api, take } from '../api/client';
import type { RunState, Spoken } from './events';

export interface LogPage {
  items: Spoken[];
  state: RunState;
}

export async function readLog(runId: string, after: number): Promise<LogPage> {
  return (await take(api.GET('/api/runs/{runId}/log', { params: { path: { runId }, query: { after } } }))) as LogPage;
}
