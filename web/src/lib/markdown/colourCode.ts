/** Colours code by its language; what is not known stays as it is. */
import DOMPurify from 'dompurify';

const KNOWN = new Set('bash sh shell zsh console css diff patch java javascript js jsx mjs cjs json jsonc markdown md python py sql typescript ts tsx xml html svg xhtml yaml yml'.split(' '));
const ALIASES: Record<string, string> = { shell: 'bash', console: 'bash', jsonc: 'json' };
const LONGEST = 20_000;
const LONG_WORD = /\S{500}/; // its patterns try each sign of a word to the end of it: a page would stand still for a minute

/** Whether it is code of a size and shape that is coloured at once. */
export function isColoured(code: string): boolean {
  return code.length <= LONGEST && !LONG_WORD.test(code);
}

export async function colourCode(root: ParentNode): Promise<void> {
  const places = [...root.querySelectorAll<HTMLElement>('pre[data-language] > code')].filter(({ parentElement, textContent }) => KNOWN.has(languageOf(parentElement)) && isColoured(textContent ?? ''));
  if (places.length === 0) return;
  const { default: hljs } = await import('./languages');
  for (const place of places) {
    const language = languageOf(place.parentElement);
    const { value } = hljs.highlight(place.textContent ?? '', { language: ALIASES[language] ?? language, ignoreIllegals: true });
    place.replaceChildren(DOMPurify.sanitize(value, { ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'], RETURN_DOM_FRAGMENT: true }));
  }
}

function languageOf(pre: HTMLElement | null): string {
  return (pre?.dataset['language'] ?? '').toLowerCase();
}
