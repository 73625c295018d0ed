/** Fuzzy match for the palette: letters in order, better at word starts and in a row. Accents and case do not matter. */

/** A score (higher is better), or null when the letters of `query` do not occur in `text` in this order. */
export function score(query: string, text: string): number | null {
  const wanted = [...plain(query)].filter((letter) => letter !== ' ');
  if (wanted.length === 0) return 0;
  const letters = [...plain(text)];
  let total = 0;
  let run = 0;
  let at = 0;
  for (const letter of wanted) {
    const found = letters.indexOf(letter, at);
    if (found < 0) return null;
    run = found === at && at > 0 ? run + 1 : 0;
    const startsWord = found === 0 || !/[\p{L}\p{N}]/u.test(letters[found - 1] ?? '');
    total += 1 + run * 2 + (startsWord ? 4 : 0) - Math.min(found - at, 8) * 0.2;
    at = found + 1;
  }
  return total - letters.length * 0.01;
}

/** The items that match, best first; equal ones keep their order. */
export function rank<Item>(query: string, items: readonly Item[], textOf: (item: Item) => string): Item[] {
  if (plain(query).trim() === '') return [...items];
  return items
    .map((item, index) => ({ item, index, score: score(query, textOf(item)) }))
    .filter((hit): hit is { item: Item; index: number; score: number } => hit.score !== null)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map((hit) => hit.item);
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
}
