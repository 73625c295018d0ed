/** The source files of the pages, for tests that read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path/posix';

const SRC = join(import.meta.dirname, '../src');

export function sources(): { path: string; text: string }[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(svelte|ts|js)$/.test(path) && !path.endsWith('schema.d.ts'))
    .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
}

/** What a page may show before `later` has fetched the texts of settings and dialogs: everything reached by other imports. */
export function beforeLater(entry = 'main.ts'): string[] {
  const all = new Map(sources().map(({ path, text }) => [path, text]));
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const text = all.get(path) ?? '';
    const names = [...text.matchAll(/^\s*(?:im|ex)port (?!type )[^;]*?from '(\.[^']+)'/gm), ...text.matchAll(/(?<!later\(\(\) => )import\('(\.[^']+)'\)/g)];
    for (const [, name = ''] of names) {
      const target = normalize(join(path, '..', name));
      const file = [target, `${target}.ts`, `${target}.svelte`].find((candidate) => all.has(candidate));
      if (file) visit(file);
    }
  };
  visit(entry);
  return [...found].map((path) => all.get(path) ?? '');
}
