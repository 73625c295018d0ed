/** A long text in blocks of lines, so that the browser lays out only those in sight. Pure. */

export interface Block {
  /** Number of its first line, from 1. */
  first: number;
  count: number;
  text: string;
  numbers: string;
}

const LINES = 200;

export function blocksOf(text: string, size = LINES): Block[] {
  if (text === '') return [];
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  const blocks: Block[] = [];
  for (let first = 0; first < lines.length; first += size) {
    const part = lines.slice(first, first + size);
    const numbers = part.map((_, index) => first + index + 1).join('\n');
    blocks.push({ first: first + 1, count: part.length, text: `${part.join('\n')}\n`, numbers });
  }
  return blocks;
}
