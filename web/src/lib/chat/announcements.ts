/** What screen readers announce of a run: messages once they are complete and questions as they are asked, never pieces of
 * text, and nothing that was there before. */
import { isOver, type Pause } from '../run/events';
import type { Item, RunView } from '../run/reduce';

export type QuestionText = (tool: string, pause: Pause) => string;

/** `withSources` writes out what the marks in a text mean, `questionText` what a run asks. */
export function announcementsSince(before: RunView | undefined, now: RunView, withSources: (text: string) => string, questionText: QuestionText): string | undefined {
  if (before === undefined || isOver(before.state)) return undefined;
  const known = new Set(before.items.filter(isAnnounced).map(({ id }) => id));
  const fresh = now.items.filter((item) => !known.has(item.id) && isAnnounced(item)).map((item) => announcementOf(item, withSources, questionText));
  return fresh.join('\n') || undefined;
}

function isAnnounced(item: Item): boolean {
  return (item.kind === 'text' && item.done) || (item.kind === 'pause' && item.state === 'waiting');
}

function announcementOf(item: Item, withSources: (text: string) => string, questionText: QuestionText): string {
  return item.kind === 'text' ? withoutMarkdown(withSources(item.text)) : item.kind === 'pause' ? questionText(item.tool, item.pause) : '';
}

/** Markdown as it is read out: without its markup, and without the figures of charts, which stand in the answer with a sentence of
 * their own. */
function withoutMarkdown(text: string): string {
  return text
    .replace(/^```chart\n[^]*?^```$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|```\w*)[ \t]*/gm, '')
    .replace(/(?<!\s)[*`]+|[*`]+(?!\s)|(?<!\w)_+|_+(?!\w)/g, '');
}
