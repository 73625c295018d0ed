/** What somebody who listens should hear: messages as they are complete, never pieces; nothing of what was there before. */
import { isOver } from '../run/events';
import type { Picture, TextItem } from '../run/reduce';

export function newlySaid(before: Picture | undefined, now: Picture): string | undefined {
  if (before === undefined || isOver(before.state)) return undefined;
  const known = new Set(before.items.filter((item) => item.kind === 'text' && item.done).map(({ id }) => id));
  const fresh = now.items.filter((item): item is TextItem => item.kind === 'text' && item.done && !known.has(item.id));
  return fresh.length === 0 ? undefined : fresh.map(({ text }) => spoken(text)).join('\n');
}

/** Markdown as one would read it out: without its signs. */
function spoken(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|```\w*)[ \t]*/gm, '')
    .replace(/(?<!\s)[*`]+|[*`]+(?!\s)|(?<!\w)_+|_+(?!\w)/g, '');
}
