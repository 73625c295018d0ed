/** A chart in a sentence or two, for those who do not see it. */
import { formatNumber, t } from '../i18n/index.svelte';
import type { Chart } from './chart';
import type { ChartWords } from './words';

export function describedChart({ kind, title, categories, series }: Chart, words: ChartWords): string {
  const [first, last] = [words.category(categories[0]!), words.category(categories.at(-1)!)];
  const about = t('chart.about', { kind: t(`chartKind.${kind}`), count: formatNumber(categories.length), first, last });
  const ranges = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    const [least, most] = [Math.min(...known), Math.max(...known)];
    return t('chart.range', { name: name || words.nameless, least: known.length > 0 ? words.value(least) : '–', most: known.length > 0 ? words.value(most) : '–' });
  });
  return [title && `${title}.`, about, ...ranges].filter(Boolean).join(' ');
}
