/** Tables for spreadsheets: tab-separated for the clipboard, CSV for a file. Words that a spreadsheet would take for a formula get an
 * apostrophe before them, as the server's do (core/csv_lines.py). Pure. */

export type Cell = string | number | null;

const BYTE_ORDER_MARK = '\ufeff'; // without it, Excel does not read UTF-8
const FORMULA_START = /(?:^|(?<=[;\t\r\n])) *(?=[=+\-@\t\r\n＝＋－＠])/g;
const PLAIN_NUMBER = /^[-+]?[\d.,'’ \u00a0\u202f]*\d\s?%?$/;

/** Numbers have the reader's decimal mark, and nothing that groups thousands: so spreadsheets of their country read them. */
export function tabSeparated(rows: readonly (readonly Cell[])[], locale: string): string {
  const mark = new Intl.NumberFormat(locale).format(1.5).charAt(1);
  return rows.map((row) => row.map((cell) => (typeof cell === 'number' ? written(cell).replace('.', mark) : harmless(oneLine(cell ?? '')))).join('\t')).join('\n');
}

export function csv(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map((cell) => (typeof cell === 'number' ? written(cell) : quoted(harmless(cell ?? '')))).join(',')}\r\n`).join('');
}

function written(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(Math.abs(value) < 1 ? 20 : 0).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : text;
}

/** A negative number is none. */
function harmless(text: string): string {
  return PLAIN_NUMBER.test(text) ? text : text.replace(FORMULA_START, (start) => `'${start}`);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
