/** Costs: what is looked at, in the address and in the question; what was spent, in the order of time. */
import { describe, expect, it } from 'vitest';
import { askedOf, costsPath, isNarrowed, readFilters } from '../src/lib/costs/filters';
import { hitRate, series, total } from '../src/lib/costs/series';

const NOW = Date.parse('2026-11-15T13:20:00Z');
const ID = '01a00000-0000-7000-8000-000000000001';

describe('filters', () => {
  it.each(['', '?period=week', '?model=gpt-5%2Fmini&purpose=summary', `?workflowId=${ID}`, `?period=week&runId=${ID}`, '?period=own&from=2026-10-01&to=2026-10-31'])(
    'come back from the address they are put into: %s',
    (query) => {
      const filters = readFilters(query);
      expect(readFilters(costsPath(filters).replace('/costs', ''))).toEqual(filters);
    },
  );

  it('ignore what makes no sense', () => {
    expect(readFilters('?period=never&purpose=fun&userId=me&runId=1&from=yesterday&to=0002-11-15')).toEqual(readFilters(''));
  });

  it('leave the address short when they are the usual ones', () => {
    expect(costsPath(readFilters(''))).toBe('/costs');
    expect(costsPath({ runId: ID })).toBe(`/costs?runId=${ID}`);
  });

  it('show one conversation or answer as a whole, however old', () => {
    expect(askedOf(readFilters(`?runId=${ID}`), NOW)).toEqual({ runId: ID });
    expect(isNarrowed(readFilters(`?runId=${ID}`))).toBe(true);
    expect(isNarrowed(readFilters('?period=week'))).toBe(false);
  });

  it.each([
    ['today', '2026-11-15T00:00:00Z'],
    ['week', '2026-11-09T00:00:00Z'],
    ['month', '2026-10-17T00:00:00Z'],
    ['calendar', '2026-11-01T00:00:00Z'],
  ])('ask for whole days, today among them: %s', (period, from) => {
    expect(askedOf(readFilters(`?period=${period}`), NOW)).toEqual({ from });
  });

  it('include the last day of dates of one’s own', () => {
    expect(askedOf(readFilters('?period=own&from=2026-02-28&to=2026-02-28'), NOW)).toEqual({ from: '2026-02-28T00:00:00Z', to: '2026-03-01T00:00:00Z' });
    expect(askedOf(readFilters('?period=own&to=2026-12-31'), NOW)).toEqual({ to: '2027-01-01T00:00:00Z' });
  });
});

describe('a series', () => {
  const sum = (key: string, costCHF: string, assumed = false) => ({ key, costCHF, calls: 1, assumed });

  it('has the days on which nothing was spent', () => {
    const points = series([sum('2026-11-13', '0.25'), sum('2026-11-15', '0.5', true)], { from: '2026-11-12T00:00:00Z' }, NOW);
    expect(points.map(({ key, cost }) => [key, cost])).toEqual([['2026-11-12', 0], ['2026-11-13', 0.25], ['2026-11-14', 0], ['2026-11-15', 0.5]]);
    expect(points.map(({ assumed }) => assumed)).toEqual([false, false, false, true]);
  });

  it('ends on the last day that was asked for', () => {
    expect(series([], { from: '2026-03-28T00:00:00Z', to: '2026-03-31T00:00:00Z' }, NOW).map(({ key }) => key)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
  });

  it('does not reach into the future', () => {
    expect(series([], { from: '2026-11-14T00:00:00Z', to: '2999-01-01T00:00:00Z' }, NOW)).toHaveLength(2);
    expect(series([], { from: '2027-01-01T00:00:00Z' }, NOW)).toEqual([]);
  });

  it('begins with the first line where nothing else is said, and is empty without one', () => {
    expect(series([sum('2026-11-14', '1')], {}, NOW)).toHaveLength(2);
    expect(series([], {}, NOW)).toEqual([]);
  });

  it('goes by months where days would be too thin, and loses nothing', () => {
    const sums = [sum('2025-01-31', '1'), sum('2025-02-01', '2'), sum('2025-02-28', '4')];
    const points = series(sums, {}, NOW);
    expect(points[0]).toMatchObject({ key: '2025-01', cost: 1 });
    expect(points[1]).toMatchObject({ key: '2025-02', cost: 6, calls: 2 });
    expect(points.at(-1)?.key).toBe('2026-11');
    expect(total(sums)).toEqual({ cost: 7, calls: 3, assumed: false });
  });
});

describe('the hit rate of the cache', () => {
  it.each([
    [1_000, 250, 0.25],
    [0, 0, 0],
    [100, 900, 1],
  ])('of %i tokens, %i of them cached, is %f', (inputTokens, cachedTokens, rate) => {
    expect(hitRate({ inputTokens, cachedTokens })).toBe(rate);
  });
});
