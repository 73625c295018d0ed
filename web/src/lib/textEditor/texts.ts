/** Texts compared and measured for the editor. Pure. */

export interface Replacement {
  from: number;
  to: number;
  insert: string;
}

/** The shortest single replacement that makes one text of the other, so that a cursor beside it stays where it is. */
export function replacement(before: string, after: string): Replacement | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < most - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

/** What one step of indentation is in this text. */
export function indentOf(text: string): string {
  const first = /^(\t| {2,8})\S/m.exec(text.slice(0, 50_000))?.[1];
  if (first === undefined) return '  ';
  return first === '\t' ? first : first.length % 4 === 0 ? '    ' : '  ';
}

/** As the server stores it: without the byte order mark that copied text may begin with. */
export function isSameText(one: string, other: string): boolean {
  return one === other || one.replace(/^\ufeff+/, '') === other;
}

const ENCODINGS: Record<string, string> = { 'latin-1': 'ISO 8859-1', mac_roman: 'Mac OS Roman' };

/** The name of a codec as people know it. */
export function encodingName(codec: string, mark: boolean): string {
  const name = ENCODINGS[codec] ?? codec.replace(/^cp12/, 'Windows-12').replace(/^utf-(\d+)-?/, 'UTF-$1 ').trim();
  return (/^[a-z]/.test(name) || name.startsWith('UTF') ? name.toUpperCase().replaceAll('_', '-') : name) + (mark && codec === 'utf-8' ? ' BOM' : '');
}
