/** Blocks of code in an answer that are charts: fenced, with the language `chart`, and JSON of a chart inside. Pure. */
import { chartIn, type Chart } from '../charts/chart';
import type { Block } from './blocks';

const FENCED = /^ {0,3}(`{3,}|~{3,})[ \t]*chart[ \t]*\n([^]*?)\n {0,3}\1[`~]*[ \t]*\s*$/i;
const known = new WeakMap<Block, Chart | false>();

/** Undefined for everything else, also for a chart that is still being written or cannot be drawn: those are code. */
export function chartOf(block: Block): Chart | undefined {
  let chart = known.get(block);
  if (chart === undefined) {
    const code = FENCED.exec(block.raw)?.[2];
    chart = (code !== undefined && chartIn(code)) || false;
    known.set(block, chart); // the same object each time: a chart is drawn again only when it is another one
  }
  return chart || undefined;
}

export type Part = { chart: Chart } | { blocks: Block[] };

/** Charts stand between texts, not in them. */
export function partsOf(blocks: readonly Block[]): Part[] {
  const parts: Part[] = [];
  for (const block of blocks) {
    const chart = chartOf(block);
    const last = parts.at(-1);
    if (chart) parts.push({ chart });
    else if (last && 'blocks' in last) last.blocks.push(block);
    else parts.push({ blocks: [block] });
  }
  return parts;
}
