/** One block of Markdown as nodes to insert. The model's words are never trusted: what is not on the list is dropped. */
import DOMPurify from 'dompurify';
import { Marked, type MarkedExtension, type Tokens } from 'marked';
import { dressMarks, extension, type Cites } from './cites';
import { drawMaths } from './drawMaths';
import { MATHS } from './maths';
import { dressTables } from './sortTables';

export interface Labels {
  copy: string;
  code: string;
  table: string;
}

// No images: an address in an answer must not make the browser call it, which would tell others what was said here.
const TAGS = 'a b blockquote br code del em h3 h4 h5 h6 hr i kbd li ol p pre s strong sub sup table tbody td th thead tr ul'.split(' ');
const ATTRIBUTES = ['href', 'title', 'start', 'align', 'data-grows', 'data-language', 'data-marks', 'data-math'];

const PLAIN = /^<\/?(?:br|kbd|sub|sup)\s*\/?>$/i;

const OPTIONS: MarkedExtension = {
  gfm: true,
  renderer: {
    heading({ tokens, depth }: Tokens.Heading) {
      const inside = this.parser.parseInline(tokens);
      return depth >= 3 ? `<h${depth}>${inside}</h${depth}>` : `<p><strong>${inside}</strong></p>`;
    },
    code({ text, lang, raw }: Tokens.Code) {
      // A chart that is still being written has the room it will need.
      const grows = lang === 'chart' && !/\n[ \t]*(?:`{3,}|~{3,})\s*$/.test(raw) ? ' data-grows="chart"' : '';
      return `<pre data-language="${escaped(lang?.split(/\s/)[0] ?? '')}"${grows}><code>${escaped(text)}\n</code></pre>`;
    },
    image({ text, title, href }: Tokens.Image) {
      return escaped(text || title || href);
    },
    // Markup in an answer is shown, not obeyed; only the plain signs Markdown lacks pass.
    html({ text }: Tokens.HTML | Tokens.Tag) {
      return PLAIN.test(text.trim()) ? text : escaped(text);
    },
    checkbox({ checked }: Tokens.Checkbox) {
      return checked ? '☑ ' : '☐ ';
    },
  },
};
const plain = new Marked(OPTIONS, { extensions: MATHS });
const citing = new Marked(OPTIONS, { extensions: [extension, ...MATHS] });

/** `level` is the heading's, when the block is one; headings inside other things are only bold. `cites`: what the marks of an
 * answer are shown as. */
export function render(source: string, level: number, labels: Labels, cites?: Cites): DocumentFragment {
  const fragment = DOMPurify.sanitize(markup(cites ? citing : plain, source, level), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    ADD_URI_SAFE_ATTR: ['align', 'start'], // no addresses: else they would have to look like one
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  if (cites) dressMarks(fragment, cites);
  for (const head of fragment.querySelectorAll('th:empty')) head.replaceWith(document.createElement('td')); // it names nothing
  for (const table of fragment.querySelectorAll('table')) scrolling(wrapped(table, 'table'), labels.table);
  dressTables(fragment, labels.copy);
  for (const pre of fragment.querySelectorAll('pre')) dress(pre, labels);
  drawMaths(fragment);
  return fragment;
}

/** What is more than marked can follow, quotes thousands deep, stays as it was written. */
function markup(marked: Marked, source: string, level: number): string {
  try {
    const tokens = marked.lexer(source);
    marked.walkTokens(tokens, (token) => {
      if (token.type === 'heading') token.depth = 0;
    });
    for (const token of tokens) if (token.type === 'heading') token.depth = level;
    return marked.parser(tokens);
  } catch {
    return `<p>${escaped(source)}</p>`;
  }
}

/** A bar above the code: its language, and a button to copy it; the component that shows it handles the click. */
function dress(pre: HTMLPreElement, labels: Labels): void {
  const bar = document.createElement('div');
  bar.className = 'bar';
  const name = document.createElement('span');
  name.textContent = pre.dataset['language'] ?? '';
  const button = document.createElement('button');
  button.type = 'button';
  button.dataset['copy'] = '';
  button.textContent = labels.copy;
  bar.append(name, button);
  wrapped(pre, 'code').prepend(bar);
  scrolling(pre, labels.code);
}

function wrapped(element: Element, name: string): HTMLElement {
  const box = document.createElement('div');
  box.className = name;
  element.replaceWith(box);
  box.append(element);
  return box;
}

/** What scrolls sideways must be reachable by keyboard. */
function scrolling(element: HTMLElement, label: string): void {
  element.tabIndex = 0;
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', label);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);
}
