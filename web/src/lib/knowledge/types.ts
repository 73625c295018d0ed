/** What the server says about knowledge, by the names the pages use. */
import type { components } from '../api/schema';
import type { StoredFile } from '../api/types';

type Shapes = components['schemas'];

export type IndexStatus = Shapes['IndexStatus'];
export type Passage = Shapes['Passage'];

/** A file, and how far it has come; nothing is known of one that nobody has begun with. */
export interface Shelved {
  file: StoredFile;
  status: IndexStatus | undefined;
}
