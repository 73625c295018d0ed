/** What stands in the cells of a column, as a reader sees it: numbers with their units, amounts of money, percentages, dates. Pure.
 * `1.234` alone may be a thousand or a little more than one: what the other cells of its column show decides it. */

const GROUPING = "'’ʼ´ \\u00a0\\u2009\\u202f";
const NUMBER = new RegExp(
  String.raw`^(\()?\s*([-−–])?\s*(?:(?:[A-Z]{2,3}\$?|S?Fr\.)(?=[\s\-−–\d])|[€$£¥￥₣])?\s*([-+−–])?\s*` +
    String.raw`(\d(?:[\d.,${GROUPING}]*\d)?|[.,]\d+)(e[-+]?\d{1,3})?(?:\.[-–—]{1,2})?([-−])?\s*([^\d\s.,:/()'’–-][^\d()]{0,19})?(\))?$`,
  'i',
);
const TOUCHING = /^[A-Z]{1,3}\d/i;
const GROUPED = new RegExp(String.raw`^\d{1,3}(?:[${GROUPING}]\d{3})+(?=[.,]|$)`);
const NOTHING = new Set(['', '-', '–', '—', '…', '...', '?', 'n/a', 'na', 'k.a.', 'n.d.', 'n.v.']);
const LONGEST = 60;
const TIMES: readonly (readonly [RegExp, number])[] = [
  [/^(?:mrd|milliard|billion|bn\b|mil milh)/i, 1e9],
  [/^亿/, 1e8],
  [/^(?:mio|million|milh)/i, 1e6],
  [/^万/, 1e4],
  [/^(?:tsd|mil\b|k\b|千)/i, 1e3],
];

type Mark = '.' | ',';

interface Read {
  digits: string;
  sign: 1 | -1;
  exponent: string;
  times: number;
}

export function isNothing(cell: string): boolean {
  return NOTHING.has(cell.replace(/\s+/g, '').toLowerCase());
}

/** The numbers of a column; undefined for cells that are none. */
export function readNumbers(cells: readonly string[]): (number | undefined)[] {
  const read = cells.map(readCell);
  const votes: Record<Mark, number> = { '.': 0, ',': 0 };
  for (const one of read) {
    const mark = one && shownMark(one.digits);
    if (mark) votes[mark] += 1;
  }
  const mark = votes['.'] === votes[','] && votes['.'] === 0 ? undefined : votes['.'] >= votes[','] ? '.' : ',';
  return read.map((one) => one && valueOf(one, mark));
}

/** The mark before decimals, as far as this number alone says it. */
function shownMark(digits: string): Mark | undefined {
  const dots = digits.split('.').length - 1;
  const commas = digits.split(',').length - 1;
  if (dots + commas === 0) return undefined;
  if (dots > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ',';
  if (dots + commas > 1) return dots > 0 ? ',' : '.';
  const [whole = '', part = ''] = digits.split(/[.,]/);
  if (part.length === 3 && whole.length >= 1 && whole.length <= 3 && whole !== '0') return undefined;
  return dots > 0 ? '.' : ',';
}

function readCell(cell: string): Read | undefined {
  const text = cell.trim();
  const found = text.length <= LONGEST && !TOUCHING.test(text) ? NUMBER.exec(text) : null;
  if (!found || (found[1] === undefined) !== (found[8] === undefined)) return undefined;
  let digits = found[4]!;
  if (new RegExp(`[${GROUPING}]`).test(digits)) {
    const grouped = GROUPED.exec(digits)?.[0];
    if (grouped === undefined) return undefined;
    digits = grouped.replace(new RegExp(`[${GROUPING}]`, 'g'), '') + digits.slice(grouped.length);
  }
  const unit = found[7]?.trim() ?? '';
  const isNegative = found[1] !== undefined || found[2] !== undefined || found[6] !== undefined || (found[3] !== undefined && found[3] !== '+');
  return { digits, sign: isNegative ? -1 : 1, exponent: found[5] ?? '', times: TIMES.find(([words]) => words.test(unit))?.[1] ?? 1 };
}

function valueOf({ digits, sign, exponent, times }: Read, mark: Mark | undefined): number | undefined {
  const own = shownMark(digits) ?? mark ?? (digits.includes('.') ? ',' : '.');
  const other = own === '.' ? ',' : '.';
  const at = digits.indexOf(own);
  const whole = at < 0 ? digits : digits.slice(0, at);
  const part = at < 0 ? '' : digits.slice(at + 1);
  if (whole.includes(other) && !new RegExp(`^\\d{1,3}(?:\\${other}\\d{3})+$`).test(whole)) return undefined;
  if (/\D/.test(part)) return undefined;
  const value = Number(`${whole.replaceAll(other, '') || '0'}.${part || '0'}${exponent}`) * times * sign;
  return Number.isFinite(value) ? value : undefined;
}

const DATE = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:[T ,]+(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?Z?)?$/;
const NUMERIC_DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:[ ,]+(\d{1,2}):(\d{2})(?::\d{2})?)?$/;
const CHINESE_DATE = /^(\d{4})年(\d{1,2})月(?:(\d{1,2})日)?$/;
const NAMED_DATE = /^(?:(\d{1,2})(?:\.|er|º|st|nd|rd|th)?\s+(?:de\s+)?)?(\p{L}{3,})\.?(?:\s+(\d{1,2}),)?\s+(?:de\s+)?(\d{4})$/u;

/** The moments of a column; undefined for cells that are none. Of `3/4/2026` the day is first, unless another cell shows that the
 * month is. */
export function readDates(cells: readonly string[], locale: string): (number | undefined)[] {
  const american = cells.some((cell) => /^\d{1,2}\/(?:1[3-9]|2\d|3[01])\//.test(cell.trim()));
  const months = monthNames(locale);
  return cells.map((cell) => dateOf(cell.trim(), american, months));
}

function dateOf(text: string, american: boolean, months: ReadonlyMap<string, number>): number | undefined {
  const iso = DATE.exec(text) ?? CHINESE_DATE.exec(text);
  if (iso) return moment(iso[1], Number(iso[2]), iso[3], iso[4], iso[5]);
  const numeric = NUMERIC_DATE.exec(text);
  if (numeric) {
    const [day, month] = american && numeric[2] === '/' ? [numeric[3], numeric[1]] : [numeric[1], numeric[3]];
    return moment(numeric[4]!.length === 2 ? `20${numeric[4]}` : numeric[4], Number(month), day, numeric[5], numeric[6]);
  }
  const named = NAMED_DATE.exec(text);
  const month = named && months.get(named[2]!.toLowerCase());
  return named && month ? moment(named[4], month, named[1] ?? named[3]) : undefined;
}

function moment(year: string | undefined, month: number, day = '1', hour = '0', minute = '0'): number | undefined {
  const date = new Date(Date.UTC(Number(year), month - 1, Number(day), Number(hour), Number(minute)));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day) ? date.getTime() : undefined;
}

/** In the reader's language, and in English, which data often are in. */
function monthNames(locale: string): Map<string, number> {
  const names = new Map<string, number>();
  for (const language of [locale, 'en']) {
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      for (let at = 0; at < 12; at += 1) names.set(format.format(Date.UTC(2026, at, 15)).toLowerCase().replace(/\.$/, ''), at + 1);
    }
  }
  return names;
}
