/** What somebody who listens should hear: messages as they are complete and questions as they are asked, never pieces; nothing
 * of what was there before. */
import { isOver, type Pause } from '../run/events';
import type { Item, Picture } from '../run/reduce';

export type Ask = (tool: string, pause: Pause) => string;

/** `tell` says in words what the marks in a text mean, `ask` what a run asks. */
export function newlySaid(before: Picture | undefined, now: Picture, tell: (text: string) => string, ask: Ask): string | undefined {
  if (before === undefined || isOver(before.state)) return undefined;
  const known = new Set(before.items.filter(isSaid).map(({ id }) => id));
  const fresh = now.items.filter((item) => !known.has(item.id) && isSaid(item)).map((item) => wordsOf(item, tell, ask));
  return fresh.join('\n') || undefined;
}

function isSaid(item: Item): boolean {
  return (item.kind === 'text' && item.done) || (item.kind === 'pause' && item.state === 'waiting');
}

function wordsOf(item: Item, tell: (text: string) => string, ask: Ask): string {
  return item.kind === 'text' ? spoken(tell(item.text)) : item.kind === 'pause' ? ask(item.tool, item.pause) : '';
}

/** Markdown as one would read it out: without its signs. */
function spoken(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|```\w*)[ \t]*/gm, '')
    .replace(/(?<!\s)[*`]+|[*`]+(?!\s)|(?<!\w)_+|_+(?!\w)/g, '');
}
