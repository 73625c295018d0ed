/** Why a file that was read has no text in it, as far as its kind tells. Pure. */
import { kindOf } from '../files/kinds';
import type { StoredFile } from '../api/types';

export const WORDLESS = ['nothing', 'scan', 'picture', 'recording', 'archive', 'other'] as const;
export type Wordless = (typeof WORDLESS)[number];

export function wordlessOf(file: Pick<StoredFile, 'name' | 'mediaType' | 'size'>): Wordless {
  if (file.size === 0) return 'nothing';
  const kind = kindOf(file);
  if (kind === 'pdf') return 'scan';
  if (kind === 'image') return 'picture';
  if (kind === 'audio' || kind === 'video') return 'recording';
  return kind === 'archive' ? 'archive' : 'other';
}
