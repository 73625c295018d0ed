/** Brings the turn of a conversation into sight that was searched for, and marks the words in it. */

const NAME = 'searched';

/** Whether it is there. */
export function showMessage(list: HTMLElement, messageId: string, q: string): boolean {
  const turn = list.querySelector<HTMLElement>(`[data-turn="${CSS.escape(messageId)}"]`);
  if (!turn) return false;
  const ranges = wordsIn(turn, q);
  (ranges[0]?.startContainer.parentElement ?? turn).scrollIntoView({ block: 'center', behavior: 'instant' });
  // Where the browser cannot mark without changing the text, the place is in sight all the same.
  if ('highlights' in CSS) CSS.highlights.set(NAME, new Highlight(...ranges));
  return true;
}

export function unmark(): void {
  if ('highlights' in CSS) CSS.highlights.delete(NAME);
}

function wordsIn(turn: HTMLElement, q: string): Range[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Range[] = [];
  const texts = document.createTreeWalker(turn, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = (node.textContent ?? '').toLowerCase();
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        found.push(range);
      }
    }
  }
  return found;
}
