/** Markdown cut into blocks that never change again, and a tail that may: a growing answer redraws its tail only. */
import { Lexer, Marked, type Token } from 'marked';
import { BLOCK_MATHS } from './maths';

export interface Block {
  raw: string;
  /** For a heading: its level below the answer's own, without leaps whatever the model wrote. */
  level: number;
}

export interface Blocks {
  settled: readonly Block[];
  /** How much of the text is in the settled blocks. */
  length: number;
  tail: readonly Block[];
  /** Where reference links lead, for all blocks; the tail's may still be incomplete. */
  links: string;
  tailLinks: string;
}

export const NOTHING: Blocks = { settled: [], length: 0, tail: [], links: '', tailLinks: '' };
const ANSWER_LEVEL = 2;
const marked = new Marked({ extensions: BLOCK_MATHS });

/** What marked makes of it. Quotes and lists thousands deep are more than it can follow: such a paragraph is a block by itself. */
function lexed(text: string): Token[] {
  return attempted(text) ?? text.split(/(?<=\n[ \t]*\n)/).flatMap((piece) => attempted(piece) ?? [{ type: 'paragraph', raw: piece, text: piece, tokens: [] }]);
}

function attempted(text: string): Token[] | undefined {
  try {
    return new Lexer(marked.defaults).blockTokens(text); // what is among the words does not matter here
  } catch {
    return undefined;
  }
}

/** The blocks of `text`. `before` are those of `source`, and are gone on from when `text` is `source` and more. */
export function grow(before: Blocks, source: string, text: string): Blocks {
  const start = text.startsWith(source) ? before : NOTHING;
  const tokens = lexed(text.slice(start.length));
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  const blocks: Block[] = [];
  let level = start.settled.findLast((block) => block.level > 0)?.level ?? ANSWER_LEVEL;
  let links = start.links;
  let tailLinks = '';
  let length = start.length;
  let settledCount = 0;
  for (const [index, token] of tokens.entries()) {
    if (index < last) length += token.raw.length;
    if (token.type === 'def' && index < last) links += `\n\n${token.raw}`;
    else if (token.type === 'def') tailLinks = `\n\n${token.raw}`;
    if (token.type === 'space' || token.type === 'def') continue;
    if (token.type === 'heading') level = Math.min(token['depth'] + ANSWER_LEVEL, level + 1, 6);
    blocks.push({ raw: token.raw, level: token.type === 'heading' ? level : 0 });
    if (index < last) settledCount = blocks.length;
  }
  return { settled: [...start.settled, ...blocks.slice(0, settledCount)], length, tail: blocks.slice(settledCount), links, tailLinks };
}
