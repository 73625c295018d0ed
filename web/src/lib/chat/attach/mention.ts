/** What of a text is being completed after `@`, and what comes into its place. Pure; the server reads mentions the same way.
 * What can be completed after `/` is in `skillCall.ts`. */
import type { components } from '../../api/schema';

/** A file or folder, or a block of the project that the conversation is about. */
export type NamedSuggestion = components['schemas']['Suggestion'];

export interface SkillSuggestion {
  kind: 'skill' | 'parameter';
  name: string;
  about: string;
  insert: string;
  required?: boolean;
  /** Who keeps it, where that is another person. */
  owner?: string;
}

export type Suggestion = NamedSuggestion | SkillSuggestion;

/** What is being written up to the caret: a file or block after `@`, a skill after `/`, or a parameter of a skill, which ends with `=`. */
export interface Mention {
  sign: '@' | '/' | '=';
  start: number;
  caret: number;
  /** Without the sign and the quote. */
  query: string;
  /** What follows the caret, up to the end of the word or name. */
  tail: string;
  /** Whose parameter it is. */
  skill?: string;
}

export interface Change {
  start: number;
  end: number;
  text: string;
  caret: number;
}

const BEFORE = /(?<![A-Za-z0-9_@.])@(?:"([^"\n]{0,255})|([^\s"@,;:!?()[\]{}<>]{0,255}))$/;
const REST_OF_NAME = /^[^"\n]*"/;
const REST_OF_WORD = /^[^\s"@,;:!?()[\]{}<>]+/;
const LONGEST = 600; // characters before the caret that can matter

export function mentionAt(text: string, caret: number): Mention | undefined {
  const from = Math.max(0, caret - LONGEST);
  const hit = BEFORE.exec(text.slice(from, caret));
  if (!hit) return undefined;
  const rest = hit[1] === undefined ? REST_OF_WORD : REST_OF_NAME;
  return { sign: '@', start: from + hit.index, caret, query: hit[1] ?? hit[2] ?? '', tail: rest.exec(text.slice(caret))?.[0] ?? '' };
}

/** Written as it is, with a space behind it; a parameter with the caret in its quotes. */
export function chosen(text: string, mention: Mention, { kind, insert }: Suggestion): Change {
  const end = endOf(mention, insert);
  if (kind === 'parameter') return { start: mention.start, end, text: insert, caret: mention.start + insert.length - 1 };
  const isFollowed = /^[\s,.;:!?)\]}]/.test(text.slice(end));
  const written = isFollowed ? insert : `${insert} `;
  const skips = isFollowed && text[end] === ' ' ? 1 : 0;
  return { start: mention.start, end, text: written, caret: mention.start + written.length + skips };
}

/** Written up to its slash, and ready to go on with what lies in it. */
export function entered(mention: Mention, { insert }: NamedSuggestion): Change {
  const isQuoted = insert.endsWith('"');
  const path = `${(isQuoted ? insert.slice(0, -1) : insert).replace(/\/$/, '')}/`;
  return { start: mention.start, end: endOf(mention, insert), text: isQuoted ? `${path}"` : path, caret: mention.start + path.length };
}

/** Exactly this is written already: there is nothing to complete. */
export function isWritten({ sign, query, tail }: Mention, { insert }: Suggestion): boolean {
  return plain(`${sign}${query}${tail}`) === plain(insert);
}

const CONTAINERS = /\b(zip|x-tar|gzip|x-bzip2?|x-xz|java-archive|rfc822|vnd\.ms-outlook)\b/;

/** Folders, archives and mails: one can look for something in them. */
export function opens(suggestion: Suggestion): suggestion is NamedSuggestion {
  return suggestion.kind === 'folder' || (suggestion.kind === 'file' && CONTAINERS.test(suggestion.mediaType ?? ''));
}

/** Where it lies, without its own name: in folders, or in a phase and groups. */
export function folderOf({ name, path, phase }: NamedSuggestion): string {
  const whole = path.replace(/\/$/, '');
  const above = whole.endsWith(name) ? whole.slice(0, -name.length).replace(/\/$/, '') : whole;
  return [phase, above].filter(Boolean).join(' · ');
}

/** The rest of a name goes when it is the rest of what is written now; other people's words stay. */
function endOf({ caret, tail }: Mention, insert: string): number {
  const isRest = tail === '"' || plain(insert).endsWith(plain(tail));
  return caret + (isRest ? tail.length : 0);
}

function plain(text: string): string {
  return text.replaceAll('"', '').toLowerCase();
}
