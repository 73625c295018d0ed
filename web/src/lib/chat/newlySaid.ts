/** What somebody who listens should hear: messages as they are complete and questions as they are asked, never pieces; nothing
 * of what was there before. */
import { isOver } from '../run/events';
import type { Item, Picture } from '../run/reduce';

export function newlySaid(before: Picture | undefined, now: Picture): string | undefined {
  if (before === undefined || isOver(before.state)) return undefined;
  const known = new Set(before.items.filter((item) => wordsOf(item) !== undefined).map(({ id }) => id));
  const fresh = now.items.filter(({ id }) => !known.has(id)).map(wordsOf);
  return fresh.filter((words) => words !== undefined).join('\n') || undefined;
}

function wordsOf(item: Item): string | undefined {
  if (item.kind === 'text') return item.done ? spoken(item.text) : undefined;
  return item.kind === 'pause' && item.state === 'waiting' ? item.pause.text : undefined;
}

/** Markdown as one would read it out: without its signs. */
function spoken(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|```\w*)[ \t]*/gm, '')
    .replace(/(?<!\s)[*`]+|[*`]+(?!\s)|(?<!\w)_+|_+(?!\w)/g, '');
}
