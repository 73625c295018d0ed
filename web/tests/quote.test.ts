/** Quotations, found again in what is on the screen. */
import { describe, expect, it } from 'vitest';
import { Look } from '../src/lib/preview/look.svelte';
import { findQuote, partsOf } from '../src/lib/preview/quote';
import { addTo, cellsQuoted, emptyGrid } from '../src/lib/preview/tables';

const found = (text: string, quote: string) => findQuote(text, quote).map(({ start, end }) => text.slice(start, end));

describe('a quotation', () => {
  it.each([
    ['line ends', 'The rent\nis  due\ton the first.', 'rent is due on', 'rent\nis  due\ton'],
    ['hyphens at line ends', 'Either party may termi-\nnate the lease.', 'may terminate the lease', 'may termi-\nnate the lease'],
    ['soft hyphens', 'may ter\u00adminate it', 'terminate it', 'ter\u00adminate it'],
    ['ligatures', 'the ﬁrst oﬃce', 'The first office', 'the ﬁrst oﬃce'],
    ['quotes and dashes', 'He said “no” – twice.', 'said "no" - twice', 'said “no” – twice'],
    ['capitals and accents', 'Die KÜNDIGUNG der Strasse', 'Kündigung der Straße', 'KÜNDIGUNG der Strasse'],
    ['letters made of two signs', 'die Ku\u0308ndigung gilt', 'Kündigung gilt', 'Ku\u0308ndigung gilt'],
    ['signs of Markdown', 'Net income 1.5 million', '| **Net income** | 1\\.5 million |', 'Net income 1.5 million'],
    ['signs beyond the first plane', '𝐀 plain 𝐛𝐨𝐥𝐝 word', 'plain bold word', 'plain 𝐛𝐨𝐥𝐝 word'],
    ['Chinese', '本合同自双方签字之日起生效。', '双方签字', '双方签字'],
  ])('is found whatever it is written with: %s', (_, text, quote, expected) => {
    expect(found(text, quote)).toEqual([expected]);
  });

  it('begins and ends with a word', () => {
    expect(found('therapist', 'the')).toEqual([]);
    expect(found('other, the end', 'the')).toEqual(['the']);
  });

  it('that is not there as a whole is marked by its longest run of words', () => {
    const text = 'Chapter 4. The tenant pays a deposit of three monthly rents. Cats are allowed.';
    expect(found(text, '4.1 The tenant pays a deposit of three rents')).toEqual(['The tenant pays a deposit of three']);
  });

  it('that something stands between is marked in its pieces, in the order of the page', () => {
    const text = 'into a blocked account of a bank.\nPage 7\nThe tenant pays a deposit of three months';
    expect(found(text, 'The tenant pays a deposit of three months into a blocked account of a bank.')).toEqual([
      'into a blocked account of a bank',
      'The tenant pays a deposit of three months',
    ]);
  });

  it('of which only a few words are there is not marked, nor an empty one', () => {
    expect(found('The tenant pays nothing at all.', 'The tenant pays a deposit')).toEqual([]);
    expect(found('Anything', ' … ')).toEqual([]);
    expect(found('', 'words')).toEqual([]);
  });

  it('can be wanted as a whole only', () => {
    expect(findQuote('one two three four five', 'one two three four six', 'whole')).toEqual([]);
  });

  it('is cut along the lines it stands on', () => {
    const lines = ['The rent is', 'due monthly.'];
    const stretches = findQuote(lines.join('\n'), 'rent is due');
    expect(partsOf(lines[0]!, 0, stretches)).toEqual([{ text: 'The ', quoted: false }, { text: 'rent is', quoted: true }]);
    expect(partsOf(lines[1]!, lines[0]!.length + 1, stretches)).toEqual([{ text: 'due', quoted: true }, { text: ' monthly.', quoted: false }]);
    expect(partsOf('Other', 100, stretches)).toEqual([{ text: 'Other', quoted: false }]);
  });

  it('is found in cells', () => {
    const grid = emptyGrid();
    const text = '| Year | Net income |\n| --- | --- |\n| 2023 | 1.2 million |\n| 2024 | 1.5 million |';
    addTo(grid, { sequence: 0, contentType: 'text', text, ref: { location: 'sheet:Q4/rows:1-3/columns:B-C' }, metadata: { table: true, rows: 3 } });
    expect(cellsQuoted(grid, (all) => findQuote(all, '| 2024 | 1\\.5 million |'))).toEqual(['3:2', '3:3']);
    expect(cellsQuoted(grid, (all) => findQuote(all, 'Net income'), 2)).toEqual([]);
  });
});

describe('a quotation of one of two tables beside each other', () => {
  it('is marked in its own cells', () => {
    const grid = emptyGrid();
    const add = (columns: string, text: string) =>
      addTo(grid, { sequence: 0, contentType: 'text', text, ref: { location: `sheet:S/rows:4-6/columns:${columns}` }, metadata: { table: true, rows: 3 } });
    add('B-C', '| Bird | Seen |\n| --- | --- |\n| Duck | 3 |\n| Goose | 5 |');
    add('E-F', '| Town | People |\n| --- | --- |\n| Bern | 130 |\n| Basel | 170 |');
    const quote = '| Duck | 3 |\n| Goose | 5 |';
    expect(cellsQuoted(grid, (all) => findQuote(all, quote, 'whole'))).toEqual(['5:2', '5:3', '6:2', '6:3']);
  });
});

describe('the passage somebody comes for', () => {
  const reading = (pages: number) => ({ mediaType: 'application/pdf', structure: { kind: 'pdf', pages, slides: [], sheets: [], sections: [] } }) as never;

  function at(page: number, pages = 9) {
    const look = new Look({ fileId: 'r' }, { page, quote: 'some words' });
    look.reading = reading(pages);
    return look;
  }

  it('is looked for on its page, then on the next, then it is said that it is not marked', () => {
    const look = at(3);
    look.miss(look.passage!);
    expect([look.passage?.page, look.missed]).toEqual([4, false]);
    look.miss(look.passage!);
    expect([look.passage?.page, look.missed]).toEqual([4, true]);
    const last = at(9);
    last.miss(last.passage!);
    expect([last.passage?.page, last.missed]).toEqual([9, true]);
  });

  it('is brought into sight once, and again when somebody wants it again', () => {
    const look = at(3);
    expect([look.arrive(look.passage!), look.arrive(look.passage!)]).toEqual([true, false]);
    look.go({ page: 3, quote: 'some words' });
    expect(look.arrive(look.passage!)).toBe(true);
  });

  it('stays in the address as long as the reader is there', () => {
    const look = at(3);
    expect(look.at).toEqual({ page: 3 });
    look.moved({ page: 2 }); // at its upper edge
    expect([look.at, look.address]).toEqual([{ page: 2 }, { page: 3, quote: 'some words' }]);
    look.moved({ page: 5 });
    expect([look.address, look.isAtPassage]).toEqual([{ page: 5 }, false]);
    look.go({ page: 5 });
    expect(look.passage?.quote).toBe('some words');
  });
});
