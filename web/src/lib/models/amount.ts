/** Amounts as people type them, and as the server takes them. Pure. */

/** A decimal number as the server wants it, or undefined where it is none. Commas are as good as points. */
export function amountOf(typed: string): string | undefined {
  const text = typed.trim().replace(',', '.').replaceAll(/['’\s]/g, '');
  return /^\d+(\.\d+)?$/.test(text) ? text : undefined;
}

/** As short as it can be written: "1.2500" is "1.25". */
export function plain(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}
