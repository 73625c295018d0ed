/** Passages by the file they stand in: the file of the best first, in it the best first. Pure. */
import type { Passage } from './types';

export interface Group {
  key: string;
  fileId: string;
  fileName: string;
  /** Path inside an archive or a mail. */
  inside: string;
  visibility: Passage['visibility'];
  ownerId: string;
  passages: readonly Passage[];
}

export interface Facet {
  fileId: string;
  name: string;
  count: number;
}

export function grouped(passages: readonly Passage[]): Group[] {
  const groups = new Map<string, Group & { passages: Passage[] }>();
  for (const passage of passages) {
    const { fileId, fileName, inside, visibility, ownerId } = passage;
    const key = `${fileId} ${inside}`;
    const group = groups.get(key);
    if (group) group.passages.push(passage);
    else groups.set(key, { key, fileId, fileName, inside, visibility, ownerId, passages: [passage] });
  }
  return [...groups.values()];
}

/** The files there are passages of, those with most of them first; an archive counts as one. */
export function facetsOf(passages: readonly Passage[]): Facet[] {
  const facets = new Map<string, Facet>();
  for (const { fileId, fileName } of passages) {
    const facet = facets.get(fileId) ?? { fileId, name: fileName, count: 0 };
    facets.set(fileId, { ...facet, count: facet.count + 1 });
  }
  return [...facets.values()].sort((one, other) => other.count - one.count);
}

export function keyOf({ fileId, inside, chunks }: Passage): string {
  return `${fileId} ${inside} ${chunks[0] ?? ''}`;
}
