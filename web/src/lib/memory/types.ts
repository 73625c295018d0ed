/** What the server says a conversation remembers, by the names the panel uses. */
import type { components } from '../api/schema';

type Shapes = components['schemas'];

export type Memory = Shapes['MemoryView'];
export type Entity = Shapes['EntityView'];
export type Summary = Shapes['SummaryView'];
export type Result = Shapes['ResultView'];
