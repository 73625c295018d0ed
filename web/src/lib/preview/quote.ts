/** Where a quotation stands in a text, however the two are written: line ends, hyphens there, ligatures, quotes, accents and
 * capitals make no difference, since only letters and digits are compared. Pure. */

/** Of a text, in its own characters. */
export interface Stretch {
  start: number;
  /** Not included. */
  end: number;
}

/** Letters and digits alone, each with the place it came from. */
interface Folded {
  letters: string;
  from: number[];
  /** Where words begin, and where all of it ends. */
  edges: Set<number>;
}

const LEAST_WORDS = 4;
const UNSPACED = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/;

/** The whole of it; else, unless only the `whole` will do, the longest run of its words, at least four, and what of the rest is
 * there, too. In order. */
export function findQuote(text: string, quote: string, how?: 'whole'): Stretch[] {
  const words = wordsOf(quote);
  if (words.length === 0) return [];
  const where = folded(text);
  const whole = place(where, words.join(''));
  const found = whole ? [whole] : how === 'whole' ? [] : runs(where, words);
  return found.map(({ start, end }) => ({ start: where.from[start]!, end: where.from[end - 1]! + 1 })).sort((one, other) => one.start - other.start);
}

/** The parts of a text that lies in a larger one from `start` on: those that are in a stretch, and those that are not. */
export function partsOf(text: string, start: number, stretches: readonly Stretch[]): { text: string; quoted: boolean }[] {
  const parts: { text: string; quoted: boolean }[] = [];
  let at = 0;
  const add = (end: number, quoted: boolean) => {
    if (end > at) parts.push({ text: text.slice(at, end), quoted });
    at = Math.max(at, end);
  };
  for (const stretch of stretches) {
    add(Math.min(Math.max(0, stretch.start - start), text.length), false);
    add(Math.min(Math.max(0, stretch.end - start), text.length), true);
  }
  add(text.length, false);
  return parts;
}

function runs(where: Folded, words: readonly string[]): Stretch[] {
  let best: { at: number; count: number; found: Stretch } | undefined;
  for (let at = 0; at < words.length; at += 1) {
    // Only a longer one is of interest: whatever is shorter at its beginning is not looked for.
    for (let count = (best?.count ?? 0) + 1; at + count <= words.length; count += 1) {
      const run = words.slice(at, at + count);
      const found = place(where, run.join(''));
      if (!found) break;
      if (weight(run) >= LEAST_WORDS) best = { at, count, found };
    }
  }
  if (!best) return [];
  return [...runs(where, words.slice(0, best.at)), best.found, ...runs(where, words.slice(best.at + best.count))];
}

/** Where words have no spaces between them, every sign is one, and two of them count as a word. */
function weight(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (UNSPACED.test(word) ? 0.5 : 1), 0);
}

/** The first place that begins and ends with a word. */
function place({ letters, edges }: Folded, wanted: string): Stretch | undefined {
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
    if (edges.has(at) && edges.has(at + wanted.length)) return { start: at, end: at + wanted.length };
  }
  return undefined;
}

function wordsOf(text: string): string[] {
  const { letters, edges } = folded(text);
  const starts = [...edges].sort((one, other) => one - other);
  return starts.slice(0, -1).map((start, index) => letters.slice(start, starts[index + 1]));
}

function folded(text: string): Folded {
  const found: Folded = { letters: '', from: [], edges: new Set() };
  let isInside = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.codePointAt(at)! > 0xffff ? text.slice(at, at + 2) : text[at]!;
    const letters = lettersOf(sign);
    if (letters !== '') {
      if (!isInside || UNSPACED.test(sign)) found.edges.add(found.letters.length);
      for (let count = 0; count < letters.length; count += 1) found.from.push(at);
      found.letters += letters;
      isInside = !UNSPACED.test(sign);
    } else isInside = false;
    at += sign.length - 1;
  }
  if (found.letters !== '') found.edges.add(found.letters.length);
  return found;
}

/** Half a megabyte has to be looked through at once: most of it is plain. */
function lettersOf(sign: string): string {
  if (sign < '\u0080') return /[a-z0-9]/i.test(sign) ? sign.toLowerCase() : '';
  return sign.toLowerCase().normalize('NFKD').replaceAll('ß', 'ss').replace(/[^\p{L}\p{N}]/gu, '');
}
