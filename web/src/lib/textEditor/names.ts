/** What the name of a text file says: the language it is written in, and how it is edited. Pure. */

export type Language =
  | 'markdown' | 'json' | 'python' | 'javascript' | 'typescript' | 'html' | 'css' | 'xml' | 'yaml'
  | 'sql' | 'shell' | 'toml' | 'properties' | 'java' | 'c' | 'cpp' | 'csharp' | 'kotlin' | 'go' | 'rust' | 'ruby' | 'diff';

const ENDINGS: Record<Language, string> = {
  markdown: 'md markdown mdown mkd',
  json: 'json geojson webmanifest ipynb jsonl ndjson',
  python: 'py pyi',
  javascript: 'js mjs cjs jsx',
  typescript: 'ts tsx',
  html: 'html htm xhtml shtml svelte vue',
  css: 'css scss less',
  xml: 'xml xsd xsl xslt rss atom kml gpx xmp plist svg',
  yaml: 'yaml yml',
  sql: 'sql',
  shell: 'sh bash zsh',
  toml: 'toml',
  properties: 'ini cfg conf properties env',
  java: 'java',
  c: 'c h',
  cpp: 'cc cpp hpp',
  csharp: 'cs',
  kotlin: 'kt',
  go: 'go',
  rust: 'rs',
  ruby: 'rb',
  diff: 'diff patch',
};
const BY_ENDING = new Map(Object.entries(ENDINGS).flatMap(([language, endings]) => endings.split(' ').map((ending) => [ending, language as Language])));
const PROSE = new Set(['', 'txt', 'text', 'log', 'rst', 'tex', 'srt', 'vtt']);

export function languageOf(name: string): Language | undefined {
  return BY_ENDING.get(endingOf(name));
}

/** Written in sentences: lines are wrapped, spelling is checked. */
export function isProse(name: string): boolean {
  return languageOf(name) === 'markdown' || PROSE.has(endingOf(name));
}

/** A new text is Markdown, unless its name says something else. */
export function withEnding(name: string): string {
  const trimmed = name.trim();
  return trimmed === '' || endingOf(trimmed) !== '' || trimmed.startsWith('.') ? trimmed : `${trimmed.replace(/\.+$/, '')}.md`;
}

function endingOf(name: string): string {
  return /[^.]\.([\p{L}\d]{1,12})$/u.exec(name.trim())?.[1]?.toLowerCase() ?? '';
}
