/** Marks in an answer: `[[k7qda]]`, or several as `[[k7qda, b2c3d]]`, behind what was taken from there. In code they are text.
 * Pure. */

const LIST = String.raw`[a-z2-7]{5}(?:[,;\s]+[a-z2-7]{5})*`;
const CODE = String.raw`^[ \t]*(?:\x60{3}|~{3})[^]*?(?:^[ \t]*(?:\x60{3}|~{3})|$(?![^]))|(?<!\x60)\x60+[^\x60\n]+\x60+`;
// Looked for only where a run of blanks or backticks begins: a model that writes nothing else must not hold up the page.
const MARKED = new RegExp(String.raw`(${CODE})|(?<![ \t])[ \t]*\[\[(${LIST})\]\]`, 'gm');
const HALF = /\[\[(?:[a-z2-7]{1,5}(?:[,;\s]+[a-z2-7]{1,5})*[,;\s]*)?\]?$/;

export const FIRST = new RegExp(String.raw`^\[\[(${LIST})\]\]`);

export function split(list: string): string[] {
  return list.split(/[,;\s]+/);
}

/** Each once, in the order in which they first occur. */
export function marksIn(text: string): string[] {
  const found = [...text.matchAll(MARKED)].flatMap(([, , list]) => (list ? split(list) : []));
  return [...new Set(found)];
}

/** With words in the place of marks; without any, the space before a mark goes with it. */
export function spelledOut(text: string, say: (marks: string[]) => string): string {
  return text.replace(MARKED, (whole, code: string | undefined, list: string | undefined, at: number) => {
    if (code !== undefined || list === undefined) return whole;
    const words = say(split(list));
    const next = text[at + whole.length] ?? '';
    if (words) return ` ${words}`;
    return whole.startsWith('[') || !/[\p{L}\p{N}]/u.test(next) ? '' : ' ';
  });
}

/** Without the beginning of a mark at its end: the rest may still come. What `grows` may also begin one with its last sign. */
export function withoutHalf(text: string, grows: boolean): string {
  const whole = text.replace(HALF, '');
  return grows ? whole.replace(/\[$/, '') : whole;
}
