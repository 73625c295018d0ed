/** What ECharts is told of a chart. Colours, symbols and patterns all tell series apart, so that none of them has to. Pure. */
import type { EChartsCoreOption } from 'echarts/core';
import { axisOf, momentOf, placesInOrder, type AxisKind, type Chart } from './chart';
import type { Look } from './look';
import type { ChartWords } from './words';

const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond'];
const DASHES: (string | number[])[] = ['solid', 'dashed', 'dotted', [12, 4], [2, 6], [10, 3, 2, 3], [16, 4, 4, 4], [4, 2]];
// One plain, the others hatched in different ways.
const DECALS = [
  { symbol: 'none' },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 6], rotation: -Math.PI / 4 },
  { symbol: 'circle', symbolSize: 0.7, dashArrayX: [[6, 6], [0, 6, 6, 0]], dashArrayY: [6, 0] },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 6], rotation: Math.PI / 4 },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [1, 5], rotation: 0 },
  { symbol: 'triangle', symbolSize: 0.8, dashArrayX: [[9, 9], [0, 9, 9, 0]], dashArrayY: [7, 2] },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [1, 5], rotation: Math.PI / 2 },
  { symbol: 'rect', symbolSize: 0.6, dashArrayX: [[6, 6], [0, 6, 6, 0]], dashArrayY: [6, 0] },
];
const FEW_POINTS = 40;
const FONT = 12;
const DAY = 86_400_000;
const LEAST_SHARE = 5; // percent; smaller parts have no room for words

interface Axes {
  xAxis: object;
  yAxis: object;
}

export interface Place {
  /** A picture carries its title, the page has it beside the chart. */
  titled?: boolean;
  /** Too narrow for words beside a pie. */
  narrow?: boolean;
}

export function chartOption(chart: Chart, look: Look, words: ChartWords, { titled = false, narrow = false }: Place = {}): EChartsCoreOption {
  const many = chart.series.length > 1 || chart.kind === 'pie';
  const top = titled && chart.title ? 34 : 0;
  const isList = chart.kind === 'pie' && narrow;
  return {
    color: look.colours,
    backgroundColor: 'transparent',
    animation: look.moves,
    animationDuration: 300,
    textStyle: { fontFamily: look.font, fontSize: FONT, color: look.text },
    title: top ? { text: chart.title, left: 0, top: 0, textStyle: { fontFamily: look.font, fontSize: 17, fontWeight: 600, color: look.text } } : undefined,
    legend: many ? { type: isList ? 'plain' : 'scroll', ...(isList ? { bottom: 0 } : { top }), left: 0, itemWidth: chart.kind === 'scatter' ? 14 : 24, textStyle: { color: look.text, fontSize: FONT }, pageTextStyle: { color: look.muted }, pageIconColor: look.text, pageIconInactiveColor: look.line } : undefined,
    aria: { enabled: true, label: { enabled: false }, decal: { show: many && (chart.kind === 'bar' || chart.kind === 'area' || chart.kind === 'pie'), decals: DECALS } },
    tooltip: tooltip(chart, look, words),
    ...(chart.kind === 'pie' ? pie(chart, look, words, top, narrow) : { grid: grid(many, top, chart), ...axes(chart, look, words), series: series(chart, look) }),
  };
}

function grid(many: boolean, top: number, chart: Chart): object {
  const [across, up] = chart.horizontal && chart.kind === 'bar' ? [chart.yLabel, chart.xLabel] : [chart.xLabel, chart.yLabel];
  return { left: 4, right: 16, top: top + (many ? 36 : 12) + (up || chart.unit ? 18 : 0), bottom: across ? 26 : 4, containLabel: true };
}

function tooltip({ kind, categories, series: all }: Chart, look: Look, words: ChartWords): object {
  const head = (at: number) => words.category(categories[at]!);
  const order = (place: number) => placesInOrder({ kind, categories, series: all } as Chart)[place]!;
  const line = (name: string, value: number | null | undefined) => `${name ? `${name}: ` : ''}${value == null ? '–' : words.value(value)}`;
  return {
    trigger: kind === 'pie' || kind === 'scatter' ? 'item' : 'axis',
    renderMode: 'richText', // as HTML it would need inline styles, which the content security policy refuses
    confine: true,
    backgroundColor: look.ground,
    borderColor: look.line,
    textStyle: { color: look.text, fontSize: FONT, fontFamily: look.font },
    axisPointer: { type: kind === 'bar' ? 'shadow' : 'line', lineStyle: { color: look.muted } },
    formatter: (hit: Hit | Hit[]) => {
      const first = Array.isArray(hit) ? hit[0] : hit;
      if (!first) return '';
      if (kind === 'pie') return `${head(first.dataIndex)}: ${words.value(all[0]!.values[first.dataIndex]!)} (${words.share((first.percent ?? 0) / 100)})`;
      if (!Array.isArray(hit)) return `${head(hit.dataIndex)}\n${line(all[hit.seriesIndex]!.name, all[hit.seriesIndex]!.values[hit.dataIndex])}`;
      const at = order(first.dataIndex);
      return [head(at), ...hit.map(({ seriesIndex }) => line(all[seriesIndex]!.name, all[seriesIndex]!.values[at]))].join('\n');
    },
  };
}

interface Hit {
  dataIndex: number;
  seriesIndex: number;
  percent?: number;
}

function axes(chart: Chart, look: Look, words: ChartWords): Axes {
  const named = (name: string, isAcross: boolean) => ({
    name: name || undefined,
    nameLocation: isAcross ? 'middle' : 'end',
    nameGap: isAcross ? 30 : 12,
    nameTextStyle: { color: look.muted, fontSize: FONT, align: isAcross ? 'center' : 'left', padding: isAcross ? 0 : [0, 0, 0, -28] },
  });
  const lines = { axisLine: { lineStyle: { color: look.muted } }, axisTick: { lineStyle: { color: look.line } }, splitLine: { lineStyle: { color: look.line } } };
  const label = { color: look.muted, fontSize: FONT, hideOverlap: true };
  const turned = chart.horizontal && chart.kind === 'bar';
  const up = { type: 'value', ...lines, axisLabel: { ...label, formatter: words.tick }, scale: chart.kind === 'line' || chart.kind === 'scatter', ...named([chart.yLabel, chart.yLabel.includes(chart.unit) ? '' : chart.unit].filter(Boolean).join(', '), turned) };
  const kind = axisOf(chart.categories);
  const toScale = chart.kind !== 'bar' && kind !== 'text';
  const along = {
    ...lines,
    ...(toScale ? { ...scaleOf(chart, kind), splitLine: { show: false } } : { type: 'category', data: chart.categories.map(words.category), boundaryGap: chart.kind === 'bar' || chart.categories.length === 1 }),
    axisLabel: { ...label, ...(toScale ? { formatter: words.at } : { width: turned ? 150 : 110, overflow: turned ? 'truncate' : 'break' }), showMinLabel: true, showMaxLabel: toScale || undefined, alignMinLabel: toScale ? 'left' : undefined, alignMaxLabel: toScale ? 'right' : undefined },
    inverse: turned, // the first one above, as in a table
    ...named(chart.xLabel, !turned),
  };
  return turned ? { xAxis: up, yAxis: along } : { xAxis: along, yAxis: up };
}

/** Lines fill their room; points keep away from its edges. Between two ticks lies at least what the labels can tell apart. */
function scaleOf({ kind, categories }: Chart, axis: AxisKind): object {
  const whole = kind === 'scatter' ? { scale: true } : { min: 'dataMin', max: 'dataMax' };
  if (axis === 'number') return { type: 'value', ...whole, minInterval: categories.every((one) => Number.isInteger(one)) ? 1 : 0 };
  const longest = Math.max(...categories.map((one) => String(one).length));
  return { type: 'time', ...whole, minInterval: longest <= 'YYYY-MM'.length ? 28 * DAY : longest <= 'YYYY-MM-DD'.length ? DAY : 0 };
}

function series(chart: Chart, look: Look): object[] {
  const { kind, categories, stacked } = chart;
  const toScale = kind !== 'bar' && axisOf(categories) !== 'text';
  const places = placesInOrder(chart);
  const at = (place: number) => (typeof categories[place] === 'number' ? categories[place] : momentOf(categories[place]!));
  return chart.series.map(({ name, values }, number) => ({
    type: kind === 'area' ? 'line' : kind,
    name,
    data: places.map((place) => (toScale ? [at(place), values[place]] : values[place])),
    symbol: SYMBOLS[number % SYMBOLS.length],
    symbolSize: kind === 'scatter' ? 9 : 7,
    showSymbol: kind === 'scatter' || places.length <= FEW_POINTS,
    connectNulls: false,
    emphasis: { focus: 'none' },
    ...(kind === 'bar' ? { stack: stacked ? 'all' : undefined, barMaxWidth: 48, itemStyle: { borderColor: look.ground, borderWidth: stacked ? 1 : 0 } } : {}),
    ...(kind === 'line' || kind === 'area' ? { lineStyle: { width: 2.5, type: DASHES[number % DASHES.length] }, stack: stacked && kind === 'area' ? 'all' : undefined } : {}),
    ...(kind === 'area' ? { areaStyle: { opacity: stacked ? 0.75 : 0.25 } } : {}),
  }));
}

function pie({ categories, series: [only] }: Chart, look: Look, words: ChartWords, top: number, narrow: boolean): object {
  const data = categories.map((category, at) => ({ name: words.category(category), value: only!.values[at] ?? 0 }));
  const inside = { position: 'inside', color: look.ground, formatter: ({ percent }: Part) => (percent < LEAST_SHARE ? '' : words.share(percent / 100)) };
  const beside = { color: look.text, formatter: ({ name, percent }: Part) => `${name}\n${words.share(percent / 100)}` };
  return {
    series: [
      {
        type: 'pie',
        radius: narrow ? '62%' : '66%',
        center: narrow ? ['50%', '36%'] : ['50%', top ? '58%' : '56%'],
        data,
        label: { fontSize: FONT, ...(narrow ? inside : beside) },
        labelLine: { lineStyle: { color: look.muted } },
        itemStyle: { borderColor: look.ground, borderWidth: 2 },
        avoidLabelOverlap: true,
      },
    ],
  };
}

interface Part {
  name: string;
  percent: number;
}
