/** Charts before they are drawn: what is one, in what order, and what ECharts is told. */
import { describe, expect, it } from 'vitest';
import { axisOf, chartIn, momentOf, placesInOrder, type Chart } from '../src/lib/charts/chart';
import type { Look } from '../src/lib/charts/look';
import { chartOption } from '../src/lib/charts/option';
import { cellsOf, sortedRows } from '../src/lib/charts/rows';
import { heightOf } from '../src/lib/charts/size';
import { chartWords } from '../src/lib/charts/words';
import { grow, NOTHING } from '../src/lib/markdown/blocks';
import { partsOf } from '../src/lib/markdown/chartBlocks';

const LOOK: Look = { colours: ['#111', '#222'], text: '#000', muted: '#555', line: '#ddd', ground: '#fff', font: 'Inter', moves: false };

function chart(more: Partial<Chart> = {}): Chart {
  return {
    kind: 'bar', title: 'Sales', xLabel: '', yLabel: '', unit: 'CHF', stacked: false, horizontal: false,
    categories: ['b', 'a', 'c'], series: [{ name: 'One', values: [2, null, 1_234.5] }, { name: 'Two', values: [3, 1, 2] }], ...more,
  };
}
const words = (one: Chart, locale = 'de-CH') => chartWords(one, locale, 'Wert');
const option = (one: Chart, place = {}): any => chartOption(one, LOOK, words(one), place);

describe('a chart in an answer', () => {
  const whole = { kind: 'bar', categories: ['a', 'b'], series: [{ name: 'x', values: [1, null] }] };

  it('is JSON with what a chart needs, and nothing more is asked of it', () => {
    expect(chartIn(JSON.stringify(whole))).toEqual({ ...whole, title: '', xLabel: '', yLabel: '', unit: '', stacked: false, horizontal: false });
    expect(chartIn(JSON.stringify({ ...whole, series: [{ values: [1, 2] }] }))?.series[0]?.name).toBe('');
  });

  it.each([
    ['half of it', '{"kind": "bar", "categ'],
    ['no object', '[1]'],
    ['another kind', JSON.stringify({ ...whole, kind: 'donut' })],
    ['a value too few', JSON.stringify({ ...whole, series: [{ name: 'x', values: [1] }] })],
    ['nothing', JSON.stringify({ ...whole, series: [{ name: 'x', values: [null, null] }] })],
    ['words for values', JSON.stringify({ ...whole, series: [{ name: 'x', values: ['1', '2'] }] })],
    ['values beyond all measure', JSON.stringify({ ...whole, series: [{ name: 'x', values: [1e300, 1] }] })],
    ['a negative part of a pie', JSON.stringify({ ...whole, kind: 'pie', series: [{ name: 'x', values: [-1, 2] }] })],
    ['points at names', JSON.stringify({ ...whole, kind: 'scatter' })],
    ['two series of one name', JSON.stringify({ ...whole, series: [whole.series[0], whole.series[0]] })],
    ['too many values', JSON.stringify({ kind: 'line', categories: Array(5_001).fill('a'), series: [{ name: 'x', values: Array(5_001).fill(1) }] })],
  ])('is code when it is %s', (_, code) => expect(chartIn(code)).toBeUndefined());

  it('stands between the words once it is whole', () => {
    const text = `Before.\n\n\`\`\`chart\n${JSON.stringify(whole)}\n\`\`\`\n\nAfter.\n\n\`\`\`chart\n{}\n\`\`\``;
    const kinds = (upTo: number) => {
      const { settled, tail } = grow(NOTHING, '', text.slice(0, upTo));
      return partsOf([...settled, ...tail]).map((part) => ('chart' in part ? 'chart' : part.blocks.length));
    };
    expect(kinds(text.length)).toEqual([1, 'chart', 2]);
    expect(kinds(text.indexOf('After') - 6)).toEqual([2]);
  });

  it('is the same chart while the answer goes on', () => {
    const text = `\`\`\`chart\n${JSON.stringify(whole)}\n\`\`\`\n\nAnd`;
    const first = grow(NOTHING, '', text);
    const second = grow(first, text, `${text} more`);
    const [before, after] = [first, second].map(({ settled, tail }) => partsOf([...settled, ...tail])[0]);
    expect(before && 'chart' in before && after && 'chart' in after && before.chart === after.chart).toBe(true);
  });
});

describe('the axis', () => {
  it('is to scale only where everything on it is', () => {
    expect(axisOf([1, 2])).toBe('number');
    expect(axisOf(['2026-01', '2026-02-28', '2026-03-01T08:00'])).toBe('date');
    expect(['2026-13', '2026-02-30', 'later'].map(momentOf)).toEqual([undefined, undefined, undefined]);
    expect(axisOf(['2026-01', 'later'])).toBe('text');
    expect(momentOf('2026-03-01T01:00+02:00')).toBe(Date.UTC(2026, 1, 28, 23));
  });

  it('runs forward for lines, and as it stands for bars', () => {
    const dates = { categories: ['2026-02', '2026-01', '2026-03'] };
    expect(placesInOrder(chart({ ...dates, kind: 'line' }))).toEqual([1, 0, 2]);
    expect(placesInOrder(chart(dates))).toEqual([0, 1, 2]);
    const [first] = option(chart({ ...dates, kind: 'line' })).series;
    expect(first.data).toEqual([[Date.UTC(2026, 0), null], [Date.UTC(2026, 1), 2], [Date.UTC(2026, 2), 1_234.5]]);
  });
});

describe('what ECharts is told', () => {
  it('tells series apart without their colours', () => {
    const lines = option(chart({ kind: 'line' })).series;
    expect(new Set(lines.map((one: any) => `${one.symbol} ${one.lineStyle.type}`)).size).toBe(2);
    expect(option(chart()).aria.decal.show).toBe(true);
    expect(option(chart()).aria.label.enabled).toBe(false);
  });

  it('writes numbers for its reader, and no markup anywhere', () => {
    const one = chart({ categories: ['<img src=x>', 'a', 'c'] });
    const { tooltip, xAxis } = option(one);
    expect(tooltip.renderMode).toBe('richText');
    expect(tooltip.formatter([{ dataIndex: 2, seriesIndex: 0 }, { dataIndex: 2, seriesIndex: 1 }])).toBe(`c\nOne: CHF\u00a0${new Intl.NumberFormat('de-CH').format(1_234.5)}\nTwo: CHF\u00a02`);
    expect(tooltip.formatter([{ dataIndex: 1, seriesIndex: 0 }])).toBe('a\nOne: –');
    expect(xAxis.data[0]).toBe('<img src=x>');
    expect(words(chart({ unit: '%' }), 'fr-CH').value(1_234.5)).toBe(`${new Intl.NumberFormat('fr-CH').format(1_234.5)}\u202f%`);
  });

  it('does not group years, and writes all ticks of an axis alike', () => {
    const years = words(chart({ kind: 'line', categories: [2024, 2025, 2026] }), 'en-GB');
    expect(years.at(2025)).toBe('2025');
    const large = words(chart({ series: [{ name: '', values: [90_000, 250_000, 1] }] }), 'en-GB');
    expect([large.tick(90_000), large.tick(250_000)]).toEqual(['90k', '250k']);
    expect(words(chart({ categories: ['2026-03', '2026-04', '2026-05'] }), 'de-CH').category('2026-03')).toBe('März 2026');
  });

  it('lays bars down with the first one above', () => {
    const { xAxis, yAxis, series } = option(chart({ horizontal: true, stacked: true }));
    expect([xAxis.type, yAxis.type, yAxis.inverse]).toEqual(['value', 'category', true]);
    expect(series.every((one: any) => one.stack === 'all')).toBe(true);
    expect(heightOf(chart({ horizontal: true }))).toBeUndefined();
    expect(heightOf(chart({ horizontal: true, categories: Array.from({ length: 30 }, (_, at) => String(at)) }))).toBeGreaterThan(900);
  });

  it('keeps still where motion is not wanted', () => {
    expect(option(chart()).animation).toBe(false);
  });
});

describe('the table of a chart', () => {
  it('sorts values as numbers, with gaps last, and goes back', () => {
    expect(sortedRows(chart(), { column: 1, direction: 'ascending' }, 'de')).toEqual([0, 2, 1]);
    expect(sortedRows(chart(), { column: 1, direction: 'descending' }, 'de')).toEqual([2, 0, 1]);
    expect(sortedRows(chart(), { column: 0, direction: 'ascending' }, 'de')).toEqual([1, 0, 2]);
    expect(sortedRows(chart(), {}, 'de')).toEqual([0, 1, 2]);
    expect(sortedRows(chart({ categories: ['2026-10', '2026-09', '2025-12'] }), { column: 0, direction: 'ascending' }, 'de')).toEqual([2, 1, 0]);
    expect(sortedRows(chart({ categories: [10, 9, 100] }), { column: 0, direction: 'descending' }, 'de')).toEqual([2, 0, 1]);
  });

  it('is taken along as numbers, with the unit in its heads', () => {
    expect(cellsOf(chart(), 'What', words(chart()), [2, 1])).toEqual([['What', 'One (CHF)', 'Two (CHF)'], ['c', 1_234.5, 2], ['a', null, 1]]);
  });
});
