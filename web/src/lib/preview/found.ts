/** Marks what was searched for in texts on the screen, without touching their nodes. Where a browser cannot, nothing is marked. */

const NAME = 'preview-found';
const MOST = 500;

/** In everything below `root`; again whenever it changes. Returns the way to stop. */
export function markFound(root: HTMLElement, words: string): () => void {
  const wanted = words.trim().toLowerCase().replace(/\s+/g, ' ');
  if (wanted === '' || !('highlights' in CSS)) return () => {};
  const mark = () => CSS.highlights.set(NAME, new Highlight(...rangesOf(root, wanted)));
  const changes = new MutationObserver(mark);
  changes.observe(root, { childList: true, subtree: true });
  mark();
  return () => {
    changes.disconnect();
    CSS.highlights.delete(NAME);
  };
}

/** The first place of it below `root`, to be brought into sight. */
export function firstFound(root: Node, words: string): Range | undefined {
  return rangesOf(root, words.trim().toLowerCase().replace(/\s+/g, ' '), 1)[0];
}

function rangesOf(root: Node, wanted: string, most = MOST): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && ranges.length < most; node = texts.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase().replace(/\s/g, ' ');
    for (let at = text.indexOf(wanted); at >= 0 && ranges.length < most; at = text.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}
