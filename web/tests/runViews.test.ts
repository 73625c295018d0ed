import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Run } from '../src/lib/api/types';
import type { NumberedEvent, RunEvent } from '../src/lib/run/events';
import type { LogPage } from '../src/lib/run/log';
import { blank } from '../src/lib/run/reduce';
import { RunViews } from '../src/lib/run/runViews.svelte';

const log = vi.hoisted(() => ({ read: (_: number): Promise<LogPage> => Promise.reject(new Error('nothing prepared')) }));
vi.mock('../src/lib/run/log', () => ({ readLog: (_: string, after: number) => log.read(after) }));

const numbered = (seq: number, event: RunEvent): NumberedEvent => ({ runId: 'r', seq, attempt: 1, event });
const BEGUN = [numbered(1, { type: 'status', state: 'running', text: '', place: null, activity: null })];
const ENDED = [...BEGUN, numbered(2, { type: 'status', state: 'completed', text: '', place: null, activity: null })];
const run = (state: Run['state']) => ({ id: 'r', state, toolCalls: 0, error: null, startedAt: 'then' }) as Run;
const stored = (state: Run['state']) => ({ ...blank('r'), state, items: [{ kind: 'text' as const, id: 'm', attempt: 0, text: 'All of it', length: 0, done: true }] });

describe('a run of somebody else, of which the stream says nothing', () => {
  let runViews: RunViews;
  let now: LogPage;

  beforeEach(() => {
    runViews = new RunViews(() => {});
    now = { items: BEGUN, state: 'running' };
    log.read = async (after) => ({ ...now, items: now.items.filter(({ seq }) => seq > after) });
  });

  it('is read to its end once the thread says that it is over', async () => {
    runViews.take(run('running'), { ...blank('r'), state: 'running' }, true);
    await vi.waitFor(() => expect(runViews.get('r')?.seq).toBe(1));
    now = { items: ENDED, state: 'completed' };
    runViews.take(run('completed'), stored('completed'), true);
    await vi.waitFor(() => expect(runViews.get('r')?.state).toBe('completed'));
  });

  it('is read once more when it ended while its log was on the way', async () => {
    const answers: ((page: LogPage) => void)[] = [];
    log.read = () => new Promise((answer) => answers.push(answer));
    runViews.take(run('running'), { ...blank('r'), state: 'running' }, true);
    answers.shift()!({ items: BEGUN, state: 'running' });
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    runViews.take(run('completed'), stored('completed'), true); // what is on the way does not know of it
    answers.shift()!({ items: [], state: 'running' });
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    answers.shift()!({ items: ENDED.slice(1), state: 'completed' });
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    answers.shift()!({ items: [], state: 'completed' });
    await vi.waitFor(() => expect(runViews.get('r')?.state).toBe('completed'));
  });
});
