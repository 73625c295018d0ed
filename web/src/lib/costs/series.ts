/** Costs in the order of time, with the days on which nothing was spent; by months where days would be too thin to see. Pure. */

/** What part of the tokens read was in a provider's cache. */
export function hitRate({ inputTokens, cachedTokens }: { inputTokens: number; cachedTokens: number }): number {
  return inputTokens === 0 ? 0 : Math.min(1, cachedTokens / inputTokens);
}

export interface Summed {
  key: string | null;
  calls: number;
  costCHF: string;
  assumed: boolean;
}

export interface Point {
  /** A day (2026-11-15) or a month (2026-11). */
  key: string;
  calls: number;
  cost: number;
  assumed: boolean;
}

const DAY_MS = 86_400_000;
const MOST_DAYS = 100;

/** `from` and `to` as the server was asked; what is open reaches to the first line; nothing reaches beyond today. */
export function series(sums: readonly Summed[], { from, to }: { from?: string; to?: string }, now: number): Point[] {
  const found = sums.filter((sum): sum is Summed & { key: string } => sum.key !== null);
  const first = from?.slice(0, 10) ?? found[0]?.key;
  const last = dayAt(to === undefined ? now : Math.min(now, Date.parse(to) - 1));
  if (first === undefined || first > last) return [];
  const days = daysBetween(first, last);
  const size = days.length > MOST_DAYS ? 'YYYY-MM'.length : 'YYYY-MM-DD'.length;
  const points = new Map(days.map((day) => [day.slice(0, size), { calls: 0, cost: 0, assumed: false }]));
  for (const { key, calls, costCHF, assumed } of found) {
    const point = points.get(key.slice(0, size));
    if (!point) continue;
    point.calls += calls;
    point.cost += Number(costCHF);
    point.assumed ||= assumed;
  }
  return [...points].map(([key, point]) => ({ key, ...point }));
}

export function total(sums: readonly Summed[]): { cost: number; calls: number; assumed: boolean } {
  return {
    cost: sums.reduce((sum, { costCHF }) => sum + Number(costCHF), 0),
    calls: sums.reduce((sum, { calls }) => sum + calls, 0),
    assumed: sums.some(({ assumed }) => assumed),
  };
}

function daysBetween(first: string, last: string): string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)];
  return Array.from({ length: Math.round((to - from) / DAY_MS) + 1 }, (_, index) => dayAt(from + index * DAY_MS));
}

function dayAt(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
