/** Amounts in CHF as people type them ("2.50", "2,5", "1'000") and as the server has them (decimal numbers as text). Pure. */

const HIGHEST = 1_000_000;

/** As the server takes it; null where nothing is typed, undefined where it is no amount or finer than four decimals. */
export function readAmount(typed: string): string | null | undefined {
  const text = typed.trim().replace(/^CHF\s*/i, '').replace(/(?<=\d)['’\s](?=\d{3})/g, '');
  if (text === '') return null;
  // A thousand to some, one franc to others: better asked than guessed.
  if (/^[1-9]\d*,\d{3}$/.test(text)) return undefined;
  const plain = text.replace(',', '.');
  return /^\d{1,7}(\.\d{1,4})?$/.test(plain) && Number(plain) <= HIGHEST ? plain : undefined;
}

/** For a field: with two decimals, more only where they say something; empty for "no limit". */
export function writeAmount(amount: string | null): string {
  if (amount === null) return '';
  const [whole = '0', decimals = ''] = amount.split('.');
  return `${whole}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`;
}

export function isSame(one: string | null, other: string | null): boolean {
  return writeAmount(one) === writeAmount(other);
}
