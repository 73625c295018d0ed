/** Filling in texts, and choosing their plural. Pure. */

export type Params = Record<string, string | number>;

/** Replace `{name}` by its value; what has no value stays visible, so that a mistake is seen. */
export function fill(text: string, params: Params = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole));
}

/** The text for this number: `key.one`, `key.other` and so on by the rules of the language. */
export function plural(messages: Record<string, string>, language: string, key: string, count: number): string {
  const category = new Intl.PluralRules(language).select(count);
  return messages[`${key}.${category}`] ?? messages[`${key}.other`] ?? key;
}

/** The language to begin with: the first one the browser prefers that we speak. */
export function pickLanguage<L extends string>(preferred: readonly string[], known: readonly L[], fallback: L): L {
  for (const wish of preferred) {
    const found = known.find((language) => wish.toLowerCase().split('-')[0] === language);
    if (found) return found;
  }
  return fallback;
}

/** One way to put a unit or a percent sign behind its number, whatever a language's data say: a narrow space that does not break. */
export function joined(text: string): string {
  return text.replace(/(\d)\s*(?=[\p{Script=Latin}%])/u, '$1\u202f');
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "30 seconds", "15 minutes": never a large number of seconds. */
export function wait(seconds: number, locale: string): string {
  const [value, unit] = seconds > 90 ? [Math.ceil(seconds / 60), 'minute'] : [seconds, 'second'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** "40 ms", "0.4 s", "12 s", "3 min": as exact as is useful after waiting. Where the script has no letters for the signs of
 * physics, as the language has it. */
export function span(ms: number, locale: string): string {
  const [value, unit, sign] = ms < 100 ? [ms, 'millisecond', 'ms'] : ms < 90_000 ? [ms / 1000, 'second', 's'] : [ms / 60_000, 'minute', 'min'];
  const format = { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: unit !== 'millisecond' && value < 10 ? 1 : 0 } as const;
  return joined(new Intl.NumberFormat(locale, format).format(value).replace(/\p{Script=Latin}.*/u, sign));
}

/** Swiss francs, as exact as small amounts need it: "CHF 0.0031", "CHF 0.15", "CHF 12.00". */
export function money(amount: number, locale: string): string {
  const isTiny = amount > 0 && amount < 0.01;
  const digits = isTiny ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: amount < 1 ? 4 : 2 };
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'CHF', currencyDisplay: 'code', ...digits }).format(amount);
}

/** "3 days ago", "in 2 hours"; under a minute: "now". */
export function relative(seconds: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(0, 'second');
}
