/** How far a file has come on its way into the search, in the few kinds people tell apart. Pure. */
import { kindOf } from '../files/kinds';
import type { IndexedFile } from './types';

export type Stage =
  | { kind: 'waiting' }
  | { kind: 'reading'; done: number; total: number }
  /** Words can be searched; its meaning is still being worked out. */
  | { kind: 'words'; share: number }
  | { kind: 'searchable' }
  /** A recording: it is found by its title and tags, not by what is said in it. */
  | { kind: 'details' }
  /** Its meaning is worked out anew, by another model; until then it is found by what the old one made of it. */
  | { kind: 'renewing'; share: number }
  | { kind: 'empty' }
  | { kind: 'failed' }
  /** Left out of the search. */
  | { kind: 'archived' };

export function stageOf({ file, status }: IndexedFile): Stage {
  if (file.status === 'archived') return { kind: 'archived' };
  // What is known of an older version says nothing about this one.
  if (!status || status.version < file.version) return { kind: 'waiting' };
  const { state, done, total, chunks, wanted } = status;
  const share = total > 0 ? Math.min(1, done / total) : 0;
  if (state === 'failed') return { kind: 'failed' };
  if (wanted && chunks > 0) return { kind: 'renewing', share: state === 'embedding' ? share : 0 };
  if (state === 'indexed') return { kind: chunks === 0 ? 'empty' : isRecording(file) ? 'details' : 'searchable' };
  // Nothing can be found yet, or nothing will be: what has no words is not called searchable by them.
  if (state === 'pending' || chunks === 0) return done > 0 && total > 0 ? { kind: 'reading', done: Math.min(done, total), total } : { kind: 'waiting' };
  return { kind: 'words', share };
}

function isRecording(file: IndexedFile['file']): boolean {
  const kind = kindOf(file);
  return kind === 'audio' || kind === 'video';
}

/** Whether nothing in it can be found yet. */
export function isUnderway(indexedFile: IndexedFile): boolean {
  const { kind } = stageOf(indexedFile);
  return kind === 'waiting' || kind === 'reading';
}
