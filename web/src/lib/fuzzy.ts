/** Match for the palette: a part of the text, or the beginnings of its words. Accents and case do not matter.
 *
 * Letters may jump to the beginning of a later word only: "nat" finds "New API token", but "mia" does not find
 * "Theme: Light", where its letters merely occur somewhere. Scripts without spaces: every character is a word.
 */

const BEGINS_WORD = 4;
const IN_A_ROW = 5;
const OTHER_TEXT = -3;

/** A score (higher is better), or null when `query` does not occur in `text` in this way. */
export function score(query: string, text: string): number | null {
  const wanted = [...plain(query)].filter((letter) => letter !== ' ');
  if (wanted.length === 0) return 0;
  const letters = [...plain(text)];
  const best = Math.max(byWords(wanted, letters), asPart(plain(query).trim(), plain(text)));
  return best === -Infinity ? null : best - letters.length * 0.01;
}

/** The items that match any of their texts, best first; equal ones keep their order. The first text counts most. */
export function rank<Item>(query: string, items: readonly Item[], textsOf: (item: Item) => readonly string[]): Item[] {
  if (plain(query).trim() === '') return [...items];
  return items
    .map((item, index) => ({ item, index, score: bestOf(query, textsOf(item)) }))
    .filter((hit) => hit.score > -Infinity)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map((hit) => hit.item);
}

function bestOf(query: string, texts: readonly string[]): number {
  return Math.max(...texts.map((text, index) => (score(query, text) ?? -Infinity) + (index === 0 ? 0 : OTHER_TEXT)));
}

/** The best way to read the letters off the text: each begins a word, or follows the one before it. */
function byWords(wanted: readonly string[], letters: readonly string[]): number {
  // `ends[at]`: the best score of what is read so far, when its last letter is the one at `at`.
  let ends = letters.map((letter, at) => (letter === wanted[0] && begins(letters, at) ? BEGINS_WORD - far(at) : -Infinity));
  for (const letter of wanted.slice(1)) {
    ends = letters.map((found, at) => {
      if (found !== letter) return -Infinity;
      const row = (ends[at - 1] ?? -Infinity) + IN_A_ROW;
      if (!begins(letters, at)) return row;
      return Math.max(row, ...ends.slice(0, at).map((before, from) => before + BEGINS_WORD - far(at - from)));
    });
  }
  return Math.max(-Infinity, ...ends);
}

function asPart(query: string, text: string): number {
  const at = text.indexOf(query);
  return at < 0 ? -Infinity : 1 + (query.length - 1) * IN_A_ROW - far(at);
}

function begins(letters: readonly string[], at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(letters[at - 1] ?? '') || /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(letters[at] ?? '');
}

function far(distance: number): number {
  return Math.min(distance, 8) * 0.2;
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
}
