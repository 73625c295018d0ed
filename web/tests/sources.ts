/** The source files of the pages, for tests that read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '../src');

export function sources(): { path: string; text: string }[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(svelte|ts|js)$/.test(path) && !path.endsWith('schema.d.ts'))
    .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
}
