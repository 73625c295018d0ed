/** Which words of a passage the question was found by, and the part of a long passage that has most of them. Pure.
 *
 * The index knows stems: `kundig` for "Kündigung", `polici` for "policy". A word is marked when it begins with one. Chinese,
 * Japanese and Korean have no spaces; there the index knows pairs of characters, marked wherever they stand.
 */

export type Span = readonly [start: number, end: number];

export interface Piece {
  text: string;
  marked: boolean;
}

/** A stretch of a text; `from` and `to` are its ends there. */
export interface Excerpt {
  from: number;
  to: number;
}

const WORD = /[\p{L}\p{M}\p{N}\u00ad]+/gu;
const UNSPACED = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/;
const LINE = 50;
const SHORT = 2; // letters: what only begins so may be any word

export function spansOf(text: string, stems: readonly string[]): Span[] {
  const isWord = (stem: string) => !UNSPACED.test(stem) && stem.match(WORD)?.[0] === stem;
  const beginnings = stems.filter(isWord).flatMap((stem) => variants(folded(stem)));
  const found: Span[] = [];
  for (const match of text.matchAll(WORD)) {
    if (UNSPACED.test(match[0])) continue;
    const word = folded(match[0]);
    if (beginnings.some((stem) => (stem.length <= SHORT ? word === stem : word.startsWith(stem)))) found.push([match.index, match.index + match[0].length]);
  }
  for (const stem of stems) if (!isWord(stem)) found.push(...occurrences(text, stem));
  return merged(found);
}

/** Where these words stand, also inside of others: for what was found by its letters. */
export function spansOfWords(text: string, words: readonly string[]): Span[] {
  return merged(words.flatMap((word) => occurrences(text, word.toLowerCase())));
}

/** The text between `from` and `to`, cut where marks begin and end. */
export function pieces(text: string, spans: readonly Span[], { from, to }: Excerpt = { from: 0, to: text.length }): Piece[] {
  const found: Piece[] = [];
  let at = from;
  const add = (end: number, marked: boolean) => {
    if (end > at) found.push({ text: text.slice(at, end), marked });
    at = Math.max(at, end);
  };
  for (const [start, end] of spans) {
    if (end <= from || start >= to) continue;
    add(Math.max(start, from), false);
    add(Math.min(end, to), true);
  }
  add(to, false);
  return found;
}

/** The part of about `most` characters that has the most marks; the first of several. Cut between words. The end of a line
 * counts as many characters: a list of short lines is high, too. */
export function excerpt(text: string, spans: readonly Span[], most: number): Excerpt {
  if (fitting(text, 0, most * 1.25) === text.length) return { from: 0, to: text.length };
  const lead = Math.round(most / 6);
  const marksFrom = (from: number) => {
    const to = fitting(text, from, most);
    return spans.filter(([first, end]) => first >= from && end <= to).length;
  };
  let best = { from: 0, marks: marksFrom(0) };
  for (const [start] of spans) {
    const from = Math.max(0, start - lead);
    const marks = marksFrom(from);
    if (marks > best.marks) best = { from, marks };
  }
  const from = best.from === 0 ? 0 : betweenWords(text, best.from);
  const to = fitting(text, from, most);
  const isEnd = fitting(text, to, lead) === text.length;
  return { from, to: isEnd ? text.length : betweenWords(text, to) };
}

/** Where the room for so many characters ends, from here on. */
function fitting(text: string, from: number, most: number): number {
  let left = most;
  for (let at = from; at < text.length; at += 1) {
    left -= text[at] === '\n' ? LINE : 1;
    if (left < 0) return at;
  }
  return text.length;
}

function folded(word: string): string {
  return word.toLowerCase().replaceAll('ß', 'ss').normalize('NFD').replace(/[\p{M}\u00ad]/gu, '');
}

/** English stems end in `i` where the word has `y`. */
function variants(stem: string): string[] {
  return stem.endsWith('i') ? [stem, `${stem.slice(0, -1)}y`] : [stem];
}

function occurrences(text: string, wanted: string): Span[] {
  const lower = text.toLowerCase();
  const where = lower.length === text.length ? lower : text; // a few capitals are longer when they are small
  const found: Span[] = [];
  for (let at = where.indexOf(wanted); at >= 0 && wanted !== ''; at = where.indexOf(wanted, at + 1)) found.push([at, at + wanted.length]);
  return found;
}

/** In order, and what overlaps or touches as one. */
function merged(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const [start, end] of [...spans].sort((one, other) => one[0] - other[0] || one[1] - other[1])) {
    const last = found.at(-1);
    if (last && start <= last[1]) found[found.length - 1] = [last[0], Math.max(last[1], end)];
    else found.push([start, end]);
  }
  return found;
}

/** The next beginning of a word from here; here, where words have no spaces between them. */
function betweenWords(text: string, at: number): number {
  const next = text.slice(at, at + 40).search(/\s\S/);
  return next < 0 ? at : at + next + 1;
}
