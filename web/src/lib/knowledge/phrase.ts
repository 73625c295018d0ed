/** A few words of a passage that lead back to it: the preview looks for them and marks them. Pure. */
import { lineAsRead } from './asRead';
import { spansOf } from './marks';

const MOST_WORDS = 8;
const LEAST_WORDS = 3;
const MOST_CHARACTERS = 100;

/** From the line, or the cell of a table, that has most of the words it was found by; else from its first sentence. */
export function phraseOf(text: string, stems: readonly string[]): string {
  const lines = text.split(/\n|\|/).map(plain).filter((line) => /[\p{L}\p{N}]/u.test(line));
  const counted = lines.map((line) => ({ line, marks: spansOf(line, stems), long: line.split(' ').length >= LEAST_WORDS }));
  const most = Math.max(0, ...counted.map(({ marks }) => marks.length));
  const best = most > 0 ? counted.find(({ marks }) => marks.length === most) : (counted.find(({ long }) => long) ?? counted[0]);
  return best ? around(best.line, best.marks[0]?.[0] ?? 0) : '';
}

/** Without the sign or the number of a list, which not every format keeps with its text. */
function plain(line: string): string {
  return lineAsRead(line).replace(/^(?:•|\d+[.)]) /, '');
}

/** Whole words, some of them before this place. */
function around(line: string, at: number): string {
  const words = line.split(' ');
  const before = line.slice(0, at).split(' ').length - 1;
  const first = Math.max(0, Math.min(before - 2, words.length - MOST_WORDS));
  let phrase = '';
  for (const word of words.slice(first, first + MOST_WORDS)) {
    const longer = phrase ? `${phrase} ${word}` : word;
    if (longer.length > MOST_CHARACTERS && phrase) break;
    phrase = longer;
  }
  return phrase.length <= MOST_CHARACTERS ? phrase : line.slice(Math.max(0, at - 10), Math.max(0, at - 10) + 24).trim(); // no spaces
}
