/** The languages the editor colours, each fetched with the first file that is written in it. */
import { StreamLanguage, type StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { Language } from './names';

const simple = (parser: StreamParser<unknown>): Extension => StreamLanguage.define(parser);

const LOADERS: Record<Language, () => Promise<Extension>> = {
  markdown: async () => {
    const { markdown, markdownLanguage } = await import('@codemirror/lang-markdown');
    return markdown({ base: markdownLanguage, completeHTMLTags: false });
  },
  json: async () => (await import('@codemirror/lang-json')).json(),
  python: async () => (await import('@codemirror/lang-python')).python(),
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true }),
  typescript: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true }),
  html: async () => (await import('@codemirror/lang-html')).html({ autoCloseTags: false }),
  css: async () => (await import('@codemirror/lang-css')).css(),
  xml: async () => (await import('@codemirror/lang-xml')).xml({ autoCloseTags: false }),
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
  sql: async () => simple((await import('@codemirror/legacy-modes/mode/sql')).standardSQL),
  shell: async () => simple((await import('@codemirror/legacy-modes/mode/shell')).shell),
  toml: async () => simple((await import('@codemirror/legacy-modes/mode/toml')).toml),
  properties: async () => simple((await import('@codemirror/legacy-modes/mode/properties')).properties),
  java: async () => simple((await import('@codemirror/legacy-modes/mode/clike')).java),
  c: async () => simple((await import('@codemirror/legacy-modes/mode/clike')).c),
  cpp: async () => simple((await import('@codemirror/legacy-modes/mode/clike')).cpp),
  csharp: async () => simple((await import('@codemirror/legacy-modes/mode/clike')).csharp),
  kotlin: async () => simple((await import('@codemirror/legacy-modes/mode/clike')).kotlin),
  go: async () => simple((await import('@codemirror/legacy-modes/mode/go')).go),
  rust: async () => simple((await import('@codemirror/legacy-modes/mode/rust')).rust),
  ruby: async () => simple((await import('@codemirror/legacy-modes/mode/ruby')).ruby),
  diff: async () => simple((await import('@codemirror/legacy-modes/mode/diff')).diff),
};

export const loadLanguage = (language: Language): Promise<Extension> => LOADERS[language]();
