/** Numbers and dates of a chart in the reader's language. Pure. */
import { areYears, axisOf, momentOf, type Category, type Chart } from './chart';

export interface ChartWords {
  /** A value, with its unit. */
  value: (value: number) => string;
  /** On the axis, where there is little room: `1.2 M`. */
  tick: (value: number) => string;
  category: (category: Category) => string;
  /** A place on an axis to scale. */
  at: (at: number) => string;
  share: (share: number) => string;
  /** What the values of a series without a name are called. */
  nameless: string;
}

const BEFORE = /^(?:[A-Z]{3}|[€$£¥]|Fr\.|R\$)$/;
const SHORT_ABOVE = 1e5;

export function chartWords(chart: Chart, locale: string, nameless: string): ChartWords {
  const exact = new Intl.NumberFormat(locale, { maximumSignificantDigits: 12 });
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 4 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const years = areYears(chart.categories);
  const dates = dateFormat(chart.categories, locale);
  const at = (value: number) => (axisOf(chart.categories) === 'date' ? dates.format(value) : years ? String(value) : exact.format(value));
  const isLarge = largestOf(chart) >= SHORT_ABOVE;
  const texts = axisOf(chart.categories) === 'text';
  return {
    value: (value) => withUnit(exact.format(value), chart.unit),
    tick: (value) => (isLarge ? short : exact).format(value),
    category: (category) => (typeof category === 'number' ? (texts ? String(category) : at(category)) : texts ? category : at(momentOf(category)!)),
    at,
    share: (share) => percent.format(share),
    nameless: chart.yLabel || nameless,
  };
}

/** As far from 0 as the axis goes: all its ticks are written alike. */
function largestOf({ categories, series, stacked }: Chart): number {
  const sizes = categories.map((_, at) => series.map(({ values }) => Math.abs(values[at] ?? 0)));
  return Math.max(...sizes.map((column) => (stacked ? column.reduce((sum, size) => sum + size, 0) : Math.max(...column))));
}

/** Currencies stand before the amount, everything else behind it. */
export function withUnit(number: string, unit: string): string {
  if (!unit) return number;
  return BEFORE.test(unit) ? `${unit}\u00a0${number}` : `${number}\u202f${unit}`;
}

/** As exact as the dates are written. */
function dateFormat(categories: readonly Category[], locale: string): Intl.DateTimeFormat {
  const longest = Math.max(0, ...categories.map((one) => (typeof one === 'string' ? one.length : 0)));
  const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const parts = longest <= 'YYYY-MM'.length ? ({ year: 'numeric', month: 'short' } as const) : longest <= 'YYYY-MM-DD'.length ? day : ({ ...day, hour: '2-digit', minute: '2-digit' } as const);
  return new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' });
}
