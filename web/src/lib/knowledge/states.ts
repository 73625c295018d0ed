/** How far a file has come on its way into the search, in the few kinds people tell apart. Pure. */
import type { Shelved } from './types';

export type Stage =
  | { kind: 'waiting' }
  | { kind: 'reading'; done: number; total: number }
  /** Words can be searched; its meaning is still being worked out. */
  | { kind: 'words'; share: number }
  | { kind: 'searchable' }
  | { kind: 'empty' }
  | { kind: 'failed' }
  /** Left out of the search. */
  | { kind: 'archived' };

export function stageOf({ file, status }: Shelved): Stage {
  if (file.status === 'archived') return { kind: 'archived' };
  // What is known of an older version says nothing about this one.
  if (!status || status.version < file.version) return { kind: 'waiting' };
  const { state, done, total, chunks } = status;
  if (state === 'failed') return { kind: 'failed' };
  if (state === 'indexed') return { kind: chunks > 0 ? 'searchable' : 'empty' };
  if (state === 'pending') return done > 0 && total > 0 ? { kind: 'reading', done: Math.min(done, total), total } : { kind: 'waiting' };
  return { kind: 'words', share: total > 0 ? Math.min(1, done / total) : 0 };
}

/** Whether nothing in it can be found yet. */
export function isUnderway(shelved: Shelved): boolean {
  const { kind } = stageOf(shelved);
  return kind === 'waiting' || kind === 'reading';
}
