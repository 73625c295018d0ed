/** What the marks of a conversation mean: the places that were read before an answer, by itself or by its tools. Pure. */
import type { RunView } from '../../run/reduce';
import type { Source, Turn } from '../turns';

export type { Source };
export type Find = (mark: string) => Source | undefined;

interface AnsweredTurn {
  turn: Pick<Turn, 'materials'>;
  runView: Pick<RunView, 'items'> | undefined;
}

/** `turns` end with the one whose answer has the mark. Its own sources count before those of earlier ones. A mark of two files
 * means neither: what is in an archive may be named so that its mark is that of another file. */
export function meaningOf(mark: string, turns: readonly AnsweredTurn[]): Source | undefined {
  for (const answered of turns.toReversed()) {
    const [first, ...others] = sourcesOf(answered).filter((source) => source.mark === mark);
    if (first) return others.every((other) => fileOf(other) === fileOf(first)) ? first : undefined;
  }
  return undefined;
}

function fileOf({ opens, address }: Source): string {
  return opens ? `${opens.fileId}/${opens.inside ?? ''}` : (address ?? '');
}

function sourcesOf({ turn, runView }: AnsweredTurn): Source[] {
  const read = (turn.materials ?? []).flatMap(({ mark, place, opens, sources = [] }) => [...(mark && opens ? [{ mark, place, opens }] : []), ...sources]);
  const called = (runView?.items ?? []).flatMap((item): Source[] => (item.kind === 'call' ? (item.result?.sources ?? []) : []));
  return [...read, ...called];
}
