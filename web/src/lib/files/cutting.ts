/** A long name, cut in the middle: its beginning says what it is, its end what tells it from the others. Pure. */

export interface CutName {
  /** Always shown, from the start. */
  head: string;
  /** Shown as far as there is room. */
  middle: string;
  /** Always shown: the ending, and a little before it. */
  tail: string;
}

/** In widths of a Latin letter. Together they fill two lines of a phone. */
const HEAD = 30;
const TAIL = 18;

export function cutName(name: string): CutName {
  const signs = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  const end = signs.length - fitting(signs.toReversed(), TAIL);
  const start = Math.min(end, fitting(signs, HEAD));
  if (end <= 1) return { head: name, middle: '', tail: '' };
  const text = (from: number, to: number) => signs.slice(from, to).join('');
  return { head: text(0, start), middle: text(start, end), tail: text(end, signs.length) };
}

/** How many of the signs fit into this width. */
function fitting(signs: readonly string[], width: number): number {
  let used = 0;
  const over = signs.findIndex((sign) => (used += isWide(sign) ? 2 : 1) > width);
  return over < 0 ? signs.length : over;
}

/** Chinese, Japanese, Korean, and pictures are as wide as two letters. */
function isWide(sign: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\uff01-\uff60]/u.test(sign);
}
