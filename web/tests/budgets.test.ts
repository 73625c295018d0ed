/** Amounts as people type them, and which limit counts. */
import { describe, expect, it } from 'vitest';
import type { LimitTable } from '../src/lib/api/types';
import { isSame, readAmount, writeAmount } from '../src/lib/budgets/amount';
import { usualLimit } from '../src/lib/budgets/limits';

describe('an amount', () => {
  it.each([
    ['2', '2'],
    ['2.50', '2.50'],
    ['2,5', '2.5'],
    [' CHF 20 ', '20'],
    ['0.0001', '0.0001'],
    ['0,125', '0.125'],
    ["1'000", '1000'],
    ['1’000’000', '1000000'],
    ['10 000.50', '10000.50'],
    ['', null],
    ['  ', null],
  ])('is read as people write it: “%s”', (typed, amount) => {
    expect(readAmount(typed)).toBe(amount);
  });

  it.each(['1,000', '-1', '2.', '0.00001', '1000000.01', '10000000', '1.2.3', 'much', '1e3', '∞', '1 00'])('is not guessed at: “%s”', (typed) => {
    expect(readAmount(typed)).toBeUndefined();
  });

  it('is written with two decimals, or with as many as it has', () => {
    expect(['2', '20.0000', '0.0005', '1.5', null].map(writeAmount)).toEqual(['2.00', '20.00', '0.0005', '1.50', '']);
  });

  it('is the same however it is written', () => {
    expect(isSame('2', '2.0000')).toBe(true);
    expect(isSame('0', null)).toBe(false);
  });
});

describe('the usual limit', () => {
  const table: LimitTable = {
    shipped: [{ scope: 'run', limit: '2' }, { scope: 'user', limit: '20' }, { scope: 'mandate', limit: null }],
    mandate: [{ scope: 'run', limit: '0.5' }, { scope: 'user', limit: null }],
    roles: [],
  };

  it('is what was set, also if that is “none”, else what is shipped', () => {
    expect(usualLimit(table, 'run')).toBe('0.5');
    expect(usualLimit(table, 'user')).toBeNull();
    expect(usualLimit(table, 'mandate')).toBeNull();
    expect(usualLimit({ ...table, mandate: [] }, 'run')).toBe('2');
  });
});
