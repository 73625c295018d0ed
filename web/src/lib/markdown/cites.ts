/** Marks as chips among the words: numbered links, made element by element. */
import type { TokenizerAndRendererExtension, Tokens } from 'marked';
import { FIRST, split } from './marks';

/** What a mark is shown as. */
export interface Cite {
  number: number;
  /** For those who cannot see where it stands, such as "Source 1: report.pdf, page 3". */
  name: string;
  title: string;
  href: string;
}

export type Cites = Readonly<Record<string, Cite>>;

/** To be used where text is an answer; elsewhere such signs mean nothing. A bracket ends a piece of text anyway: without `start`
 * the rest is not searched again for every piece. */
export const extension: TokenizerAndRendererExtension = {
  name: 'cited',
  level: 'inline',
  tokenizer: (source): Tokens.Generic | undefined => {
    const found = FIRST.exec(source);
    return found ? { type: 'cited', raw: found[0], marks: split(found[1]!) } : undefined;
  },
  renderer: ({ marks }: Tokens.Generic) => `<sup data-marks="${(marks as string[]).join(' ')}"></sup>`,
};

/** Known marks become chips, each source once in a row; unknown ones vanish, and the space before them. */
export function dressMarks(fragment: DocumentFragment, cites: Cites): void {
  for (const place of fragment.querySelectorAll<HTMLElement>('sup[data-marks]')) {
    const { previousSibling: before, nextSibling: after } = place;
    const goesOn = /^[\p{L}\p{N}]/u.test(after?.textContent ?? '');
    if (before instanceof Text && !goesOn) before.data = before.data.trimEnd();
    let last = before instanceof HTMLElement ? before.dataset['number'] : undefined;
    for (const mark of place.dataset['marks']?.split(' ') ?? []) {
      const cite = cites[mark];
      if (!cite || String(cite.number) === last) continue;
      last = String(cite.number);
      place.before(chip(mark, cite));
    }
    place.remove();
  }
}

function chip(mark: string, { number, name, title, href }: Cite): HTMLElement {
  const link = document.createElement('a');
  link.className = 'cite';
  link.href = href;
  link.title = title;
  link.dataset['mark'] = mark;
  link.dataset['number'] = link.textContent = String(number);
  link.setAttribute('aria-label', name);
  return link;
}
