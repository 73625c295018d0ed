/** The name of a skill, as it is typed behind a slash. Pure. */
export const LONGEST_NAME = 64;
const NAME = /^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u;

/** As the server stores it: `Weekly report` becomes `weekly-report`. */
export function cleanName(text: string): string {
  const plain = text.normalize('NFC').trim().replace(/^\//, '').toLowerCase();
  return plain.replace(/[\s_-]+/g, '-').replace(/^-|-$/g, '');
}

export function isName(name: string): boolean {
  return name.length <= LONGEST_NAME && NAME.test(name);
}
