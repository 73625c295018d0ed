/** What was deleted of a project, newest first, each with its way back. */
import { listBlocks, listPersonas, restoreBlock, restorePersona } from '../server';
import type { ProjectPlace } from '../types';

export interface Deleted {
  id: string;
  name: string;
  kind: 'group' | 'block' | 'persona';
  deletedAt: string | null;
  restore: () => Promise<unknown>;
}

export async function listDeleted(place: ProjectPlace, signal: AbortSignal): Promise<Deleted[]> {
  const [blocks, personas] = await Promise.all([listBlocks(place, signal, true), listPersonas(place, signal, true)]);
  const all: Deleted[] = [
    ...blocks.map(({ id, name, kind, deletedAt }) => ({ id, name, kind, deletedAt: deletedAt ?? null, restore: () => restoreBlock({ ...place, blockId: id }) })),
    ...personas.map(({ id, name, deletedAt }): Deleted => ({ id, name, kind: 'persona', deletedAt: deletedAt ?? null, restore: () => restorePersona(place, id) })),
  ];
  return all.sort((one, other) => (other.deletedAt ?? '').localeCompare(one.deletedAt ?? ''));
}
