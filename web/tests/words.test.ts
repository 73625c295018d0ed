/** The pages use the words of the field: names of our own invention that were replaced do not come back. */
import { basename } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import { sources } from './sources';

/** As a word of any module or identifier, with the word in its place. */
const PRIVATE_WORDS: Record<string, string> = {
  bus: 'action queue',
  door: 'drop events',
  hear: 'receive',
  heard: 'last seen, received',
  landing: 'start uploads',
  obey: 'perform an action',
  ordering: 'actions of a message',
  orderings: 'actions of messages',
  orders: 'actions',
  pictures: 'run views',
  shelf: 'indexed files',
  shelved: 'indexed file',
  spoken: 'numbered event',
  told: 'event, description',
};

/** The code of a module: without comments, texts and what is not a script. */
function codeOf(path: string, text: string): string {
  const script = path.endsWith('.svelte') ? [...text.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, body]) => body).join('\n') : text;
  return script.replace(/\/\*[^]*?\*\/|(?<![:'"`])\/\/.*$/gm, '').replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
}

/** Pronouns without a noun: a comment says which user, agent or part of the page it means. */
const PRONOUNS = /\b(?:some|no|any)body\b|\bwhoever\b/i;

function commentsOf(text: string): string[] {
  return text.match(/<!--[^]*?-->|\/\*[^]*?\*\/|(?<![:'"`])\/\/.*$/gm) ?? [];
}

function wordsOf(name: string): string[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/).map((word) => word.toLowerCase());
}

function privateWordsIn(names: Iterable<string>): string[] {
  return [...new Set(names)].flatMap((name) => wordsOf(name).flatMap((word) => (Object.hasOwn(PRIVATE_WORDS, word) ? [`${name}: say ${PRIVATE_WORDS[word]}`] : [])));
}

describe('the words of the pages', () => {
  it('are those of the field in the names of modules', () => {
    expect(privateWordsIn(sources().map(({ path }) => basename(path)))).toEqual([]);
  });

  it('are those of the field in the names of the code', () => {
    const faults = sources().flatMap(({ path, text }) => privateWordsIn(codeOf(path, text).match(/[A-Za-z_$][\w$]*/g) ?? []).map((fault) => `${path}: ${fault}`));
    expect(faults).toEqual([]);
  });

  it('say in comments who is meant', () => {
    expect(sources().flatMap(({ path, text }) => commentsOf(text).filter((comment) => PRONOUNS.test(comment)).map((comment) => `${path}: ${comment}`))).toEqual([]);
  });

  it('are found wherever a name has them, and nowhere else', () => {
    const code = codeOf('a.ts', "const isHeard = t('map.told'); // whose door\n/** orders */ class ShelfLife {}");
    expect(privateWordsIn(code.match(/\w+/g) ?? [])).toEqual(['isHeard: say last seen, received', 'ShelfLife: say indexed files']);
  });
});
