/** Tables as readers see them: sorted by what cells mean, and taken along to a spreadsheet. */
import { describe, expect, it } from 'vitest';
import { readNumbers } from '../src/lib/tables/cells';
import { csv, tabSeparated } from '../src/lib/tables/export';
import { nextDirection, sortedOrder } from '../src/lib/tables/order';

const sorted = (cells: string[], direction: 'ascending' | 'descending' = 'ascending', locale = 'de-CH') => sortedOrder(cells, direction, locale).map((at) => cells[at]);

describe('sorting', () => {
  it.each([
    ['numbers', ['10', '9', '-1', '1.5'], ['-1', '1.5', '9', '10']],
    ['Swiss amounts', ["CHF 10'000.–", "CHF 1'200.50", 'CHF 80.00'], ['CHF 80.00', "CHF 1'200.50", "CHF 10'000.–"]],
    ['German amounts', ['1.234,50 €', '99,00 €', '2.000,00 €'], ['99,00 €', '1.234,50 €', '2.000,00 €']],
    ['French amounts', ['1\u202f234,50', '99,00', '−5,00'], ['−5,00', '99,00', '1\u202f234,50']],
    ['percentages', ['12 %', '7,5 %', '80.5 %'], ['7,5 %', '12 %', '80.5 %']],
    ['what is in brackets as negative', ['(3)', '2', '(10)'], ['(10)', '(3)', '2']],
    ['millions and thousands', ['1.2 Mio.', '800 Tsd.', '3 Mrd.'], ['800 Tsd.', '1.2 Mio.', '3 Mrd.']],
    ['dates', ['31.01.2026', '28.02.2026', '01.12.2025'], ['01.12.2025', '31.01.2026', '28.02.2026']],
    ['ISO dates', ['2026-10-01', '2026-09-30', '2026-09-30 08:00'], ['2026-09-30', '2026-09-30 08:00', '2026-10-01']],
    ['dates by month, day and year', ['12/31/2025', '01/02/2026', '02/01/2025'], ['02/01/2025', '12/31/2025', '01/02/2026']],
    ['months by name', ['März 2026', 'Januar 2026', 'Dez. 2025', 'February 2026'], ['Dez. 2025', 'Januar 2026', 'February 2026', 'März 2026']],
    ['words as the language has them', ['Zug', 'Ähre', 'apfel', 'Bern'], ['Ähre', 'apfel', 'Bern', 'Zug']],
    ['names with numbers', ['Item 10', 'Item 9', 'Item 1'], ['Item 1', 'Item 9', 'Item 10']],
  ])('knows %s', (_, cells, expected) => {
    expect(sorted(cells)).toEqual(expected);
    expect(sorted(cells, 'descending')).toEqual([...expected].reverse());
  });

  it('leaves what is empty last either way, and words among numbers before it', () => {
    expect(sorted(['–', '2', 'about 1', '', '3', '1', '5', '4'])).toEqual(['1', '2', '3', '4', '5', 'about 1', '–', '']);
    expect(sorted(['–', '2', 'about 1', '', '3', '1', '5', '4'], 'descending')).toEqual(['5', '4', '3', '2', '1', 'about 1', '–', '']);
  });

  it('keeps equal rows as they stand, in both directions', () => {
    expect(sortedOrder(['1', '1', '0', '1'], 'ascending', 'en')).toEqual([2, 0, 1, 3]);
    expect(sortedOrder(['1', '1', '0', '1'], 'descending', 'en')).toEqual([0, 1, 3, 2]);
  });

  it('goes up, down, and back to how it was', () => {
    expect(nextDirection(undefined)).toBe('ascending');
    expect(nextDirection('ascending')).toBe('descending');
    expect(nextDirection('descending')).toBeUndefined();
  });

  it('reads what is open by the other cells of the column', () => {
    expect(readNumbers(['1.234', '2,5'])).toEqual([1234, 2.5]);
    expect(readNumbers(['1.234', '2.5'])).toEqual([1.234, 2.5]);
    expect(readNumbers(['1.234'])).toEqual([1234]);
    expect(readNumbers(['Q1', '31.12.2026', '+41 44 123 45 67', "1'23"])).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('a table for a spreadsheet', () => {
  it('has the decimal mark of its reader, and one line for each row', () => {
    const rows = [['What', 'CHF'], ['a\tb\nc', 1234.5], ['gap', null], ['tiny', 1e-7], ['huge', 1e15]];
    expect(tabSeparated(rows, 'de-DE')).toBe('What\tCHF\na b c\t1234,5\ngap\t\ntiny\t0,0000001\nhuge\t1000000000000000');
    expect(tabSeparated(rows, 'en-GB').split('\n')[1]).toBe('a b c\t1234.5');
  });

  it('is CSV that quotes, with numbers as numbers', () => {
    expect(csv([['a,b', 'say "x"'], ['line\nbreak', -1.5]])).toBe('\ufeff"a,b","say ""x"""\r\n"line\nbreak",-1.5\r\n');
  });

  it.each(['=1+1', '+cmd|x', '-2+3', '@SUM(A1)', '  =1', 'x;=1', '＝1'])('never is a formula: %s', (cell) => {
    for (const text of [tabSeparated([[cell]], 'en'), csv([[cell]])]) expect(text).toContain("'");
  });

  it.each(['-5', '+3', '-1.234,50', '−3', '-12 %'])('leaves a negative number one: %s', (cell) => {
    expect(tabSeparated([[cell]], 'en')).toBe(cell);
  });
});
