/** Pages that are images: how many are not recognised yet, and what can be done about it. Pure. */
import { kindOf } from '../files/kinds';
import type { IndexedFile } from './types';

/** So many at a time. */
export const MOST_PAGES = 500;

export type Recognition =
  | { kind: 'none' }
  | { kind: 'underway'; done: number; total: number }
  /** `offered`: how many are recognised on request. */
  | { kind: 'unread'; pages: number; isPicture: boolean; offered: number };

/** Whether its text is being recognised, or can be: then no other advice is needed. */
export function helps(indexedFile: IndexedFile): boolean {
  const recognition = recognitionOf(indexedFile, true);
  return recognition.kind === 'underway' || (recognition.kind === 'unread' && recognition.offered > 0);
}

export function recognitionOf({ file, status }: IndexedFile, may: boolean): Recognition {
  if (!status || status.version < file.version) return { kind: 'none' };
  const { unread, pagesWanted, pagesDone, recognisable } = status;
  if (pagesWanted > 0) return { kind: 'underway', done: pagesDone, total: pagesWanted };
  if (unread === 0) return { kind: 'none' };
  const isPicture = unread === 1 && kindOf(file) === 'image';
  return { kind: 'unread', pages: unread, isPicture, offered: may && recognisable ? Math.min(unread, MOST_PAGES) : 0 };
}
