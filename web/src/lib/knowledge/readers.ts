/** Who can read a file. Pure. */
import type { StoredFile } from '../api/types';

export const READERS = ['me', 'mine', 'persons', 'withMe', 'inspected', 'workspace', 'everybody'] as const;
export type Readers = (typeof READERS)[number];

/** A private file of another user is seen by who it was shared with, and by who looks into it for a reason. What was found by
 * a search does not say with whom it is shared; a search finds nothing that is only looked into. */
export function readersOf({ visibility, ownerId, sharedWith }: Pick<StoredFile, 'visibility' | 'ownerId' | 'sharedWith'>, userId: string | undefined): Readers {
  if (visibility !== 'MY') return visibility === 'GROUP' ? 'workspace' : 'everybody';
  if (sharedWith === undefined) return ownerId === userId ? 'mine' : 'withMe';
  if (ownerId === userId) return sharedWith.length > 0 ? 'persons' : 'me';
  return userId !== undefined && sharedWith.includes(userId) ? 'withMe' : 'inspected';
}
