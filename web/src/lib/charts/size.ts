/** How high a chart has to be. Pure. */
import type { Chart } from './chart';

const FEW = 10;
const BAR = 14;
const BETWEEN = 10;
const AROUND = 90;
const HIGHEST = 2_400;

/** Many bars one below the other need room; everything else has the shape of its place. */
export function heightOf({ kind, horizontal, stacked, categories, series }: Chart): number | undefined {
  if (kind !== 'bar' || !horizontal || categories.length <= FEW) return undefined;
  const bars = stacked ? 1 : series.length;
  return Math.min(HIGHEST, categories.length * (bars * BAR + BETWEEN) + AROUND);
}
