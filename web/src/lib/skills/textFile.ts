/** Files of the device as texts that come with a skill. */
export const LONGEST_FILE = 100_000;
/** What the server takes in an import, too: code is none of it. */
export const TEXT_ENDINGS = ['.md', '.markdown', '.txt', '.csv', '.tsv', '.json', '.yaml', '.yml'];

/** As the server takes it; a SKILL.md would be another skill. */
export function isTextPath(path: string): boolean {
  return TEXT_ENDINGS.some((ending) => path.toLowerCase().endsWith(ending)) && path.split('/').at(-1) !== 'SKILL.md';
}

/** Undefined when it is no text, or too long a one. */
export async function readText(file: File): Promise<string | undefined> {
  if (!isTextPath(file.name) || file.size > 4 * LONGEST_FILE) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.length > LONGEST_FILE || text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
