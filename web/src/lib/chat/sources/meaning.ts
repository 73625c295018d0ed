/** What the marks of a conversation mean: the places that were read before an answer, by itself or by its tools. Pure. */
import type { components } from '../../api/schema';
import type { Picture } from '../../run/reduce';
import type { Turn } from '../turns';

export type Source = components['schemas']['Source'];
export type Find = (mark: string) => Source | undefined;

interface Spoken {
  turn: Pick<Turn, 'materials'>;
  picture: Pick<Picture, 'items'> | undefined;
}

/** `turns` end with the one whose answer has the mark. Its own sources count before those of earlier ones. */
export function meaningOf(mark: string, turns: readonly Spoken[]): Source | undefined {
  for (const spoken of turns.toReversed()) {
    const found = sourcesOf(spoken).find((source) => source.mark === mark);
    if (found) return found;
  }
  return undefined;
}

function sourcesOf({ turn, picture }: Spoken): Source[] {
  const read = (turn.materials ?? []).flatMap(({ mark, label, opens, sources = [] }) => [...(mark && opens ? [{ mark, label, opens }] : []), ...sources]);
  const called = (picture?.items ?? []).flatMap((item): Source[] => (item.kind === 'call' ? (item.result?.sources ?? []) : []));
  return [...read, ...called];
}
