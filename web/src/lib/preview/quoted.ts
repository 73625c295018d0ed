/** Marks a quotation in texts on the screen, without touching their nodes. Where a browser cannot, nothing is marked. */
import { findQuote } from './quote';

const NAME = 'preview-quote';
const NO_TEXT = '[aria-hidden="true"], .unseen, button';

/** Below what `within` says, now and whenever `root` changes. Returns the way to stop. */
export function markQuote(root: Element, within: () => Element | null | undefined, quote: string): () => void {
  if (!('highlights' in CSS)) return () => {};
  const mark = () => {
    const place = within();
    CSS.highlights.set(NAME, new Highlight(...(place ? quoteRanges(place, quote) : [])));
  };
  const changes = new MutationObserver(mark);
  changes.observe(root, { childList: true, subtree: true });
  mark();
  return () => {
    changes.disconnect();
    CSS.highlights.delete(NAME);
  };
}

/** How far below the top of `part` it begins. */
export function quoteTop(part: Element, quote: string): number | undefined {
  const box = quoteRanges(part, quote)[0]?.getBoundingClientRect();
  return box && box.top - part.getBoundingClientRect().top;
}

/** Scrolls to it, in what scrolls by itself; whether it is there. */
export function showQuote(scroller: Element, quote: string): boolean {
  const top = quoteTop(scroller, quote);
  if (top !== undefined) scroller.scrollTop += top - scroller.clientHeight / 3;
  return top !== undefined;
}

/** Where it stands below `root`, in several pieces if need be. */
export function quoteRanges(root: Element, quote: string): Range[] {
  const texts: { node: Node; start: number }[] = [];
  let whole = '';
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest(NO_TEXT)) continue;
    texts.push({ node, start: whole.length });
    whole += `${node.nodeValue ?? ''}\n`;
  }
  const at = (place: number) => texts.findLast(({ start }) => start <= place)!;
  return findQuote(whole, quote).map(({ start, end }) => {
    const range = document.createRange();
    const [first, last] = [at(start), at(end - 1)];
    range.setStart(first.node, start - first.start);
    range.setEnd(last.node, end - last.start);
    return range;
  });
}
