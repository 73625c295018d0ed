/** A question that finds something: words that stand in one of the files. */
import { kindOf } from '../files/kinds';
import { askObjects } from '../preview/server';
import type { IndexedFile } from './types';

const MOST_FILES = 3;
const MOST_WORDS = 6;
const LEAST_LETTERS = 12;

export async function exampleFrom(files: readonly IndexedFile[], signal: AbortSignal): Promise<string | undefined> {
  const readable = files.filter(({ file }) => kindOf(file) !== 'archive'); // an archive has no text of its own
  for (const { file } of readable.slice(0, MOST_FILES)) {
    const page = await askObjects({ fileId: file.id }, { limit: 20 }, signal).catch(() => undefined);
    const found = page && exampleIn(page.items.map(({ text }) => text));
    if (found) return found;
  }
  return undefined;
}

/** The beginning of the first text that says something. */
export function exampleIn(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const line = text.split('\n').find((one) => (one.match(/\p{L}/gu)?.length ?? 0) >= LEAST_LETTERS && !one.includes('|'));
    const words = line?.match(/[\p{L}\p{M}\p{N}'’-]+/gu)?.slice(0, MOST_WORDS).join(' ');
    if (words) return words.slice(0, 60);
  }
  return undefined;
}
