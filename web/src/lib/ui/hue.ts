/** A colour of its own for every name, always the same one; the classes are in base.css. */

export function hue(name: string): string {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return `hue${sum % 6}`;
}
