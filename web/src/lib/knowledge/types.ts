/** What the server says about knowledge, by the names the pages use. */
import type { components } from '../api/schema';
import type { StoredFile } from '../api/types';

type Shapes = components['schemas'];

export type IndexStatus = Shapes['IndexStatus'];
export type Passage = Shapes['Passage'];

/** A file and its index status, which is undefined while indexing has not begun. */
export interface IndexedFile {
  file: StoredFile;
  status: IndexStatus | undefined;
}
