/** The line that shows why something was found, with the words marked. Pure. */
import { asRead } from '../knowledge/asRead';
import { excerpt, pieces, spansOf, spansOfWords, type Piece, type Span } from '../knowledge/marks';
import type { Passage } from '../knowledge/types';
import type { SearchHit } from './server';

const LENGTH = 180;

/** Of the text; nothing where there is none to show. */
export function lineOf({ text = '', passage }: Pick<SearchHit, 'text' | 'passage'>, q: string): Piece[] {
  const [shown, spans] = passage ? ofPassage(passage) : ofText(text, q);
  if (!shown) return [];
  const part = excerpt(shown, spans, LENGTH);
  const cut = pieces(shown, spans, part);
  return [...(part.from > 0 ? [{ text: '… ', marked: false }] : []), ...cut, ...(part.to < shown.length ? [{ text: ' …', marked: false }] : [])];
}

export function titleOf({ title }: Pick<SearchHit, 'title'>, q: string): Piece[] {
  return pieces(title, marksOf(title, q));
}

function ofText(text: string, q: string): [string, Span[]] {
  const shown = inOneLine(text);
  return [shown, marksOf(shown, q)];
}

/** Where its words stand; if it was found by its meaning alone, the sentences that answer best. */
function ofPassage({ text, quote, why }: Passage): [string, Span[]] {
  const shown = inOneLine(text);
  const spans = spansOf(shown, why.words);
  return spans.length > 0 ? [shown, spans] : [inOneLine(quote), []];
}

function inOneLine(text: string): string {
  return asRead(text.replaceAll('\\\n', '\n')).replaceAll(/\s+/g, ' ');
}

function marksOf(text: string, q: string): Span[] {
  return spansOfWords(text, q.trim().split(/\s+/).filter(Boolean));
}
