/** Formulas in Markdown: `$x^2$` and `\(x^2\)` among words, `$$…$$` and `\[…\]` by themselves. An amount is none: `$5 and $6`.
 * Pure; `drawMaths.ts` draws them. */
import type { TokenizerAndRendererExtension, Tokens } from 'marked';

// As Pandoc has it: no blank inside beside the signs, and no letter or digit behind them. Each ends where the next one of its
// kind begins: signs that nothing closes must not be read to the end of the text, once for each of them.
const AMONG_WORDS = /^\$(?![\s$])((?:\\.|[^\\$\n])*?)(?<!\s)\$(?![\w$])|^\\\(((?:(?!\\[()])[^\n])+?)\\\)/;
const BY_ITSELF = /^(?:\$\$(?!\$)((?:\\.|[^\\$]|\$(?!\$))+?)\$\$|\\\[((?:(?!\\[[\]])[^])+?)\\\])[ \t]*(?:\n+|$)/;
const PARAGRAPH_END = /\n[ \t]*\n/;
// A piece of text ends at any other of these by itself: the rest need not be searched again for every piece.
const TEXT_END = /[$\\<![`*~]/;
const LINE_START = /\n(?=\$\$|\\\[)/g;
/** It has begun, and the rest may still come. */
const BEGUN = /^(?:\$\$[ \t]*\n|\\\[[ \t]*\n)(?![^]*\n[ \t]*\n)/;
const LONGEST_BEGUN = 2_000;
const AMOUNT = /^\d[\d.,'’]*(?:\s|$)/;
const SIGNS = /[\\^_={}<>+*/|]/;

function isFormula(tex: string): boolean {
  return tex.trim() !== '' && !(AMOUNT.test(tex) && !SIGNS.test(tex));
}

/** The formula stands as code until it is drawn. */
function written({ text, type }: Tokens.Generic): string {
  const safe = String(text).replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);
  return type === 'formula' ? `<p><code data-math="block">${safe}</code></p>` : `<code data-math="inline">${safe}</code>`;
}

function byItself(source: string): Tokens.Generic | undefined {
  const found = BY_ITSELF.exec(source);
  const tex = found?.[1] ?? found?.[2];
  if (found && tex !== undefined && isFormula(tex)) return { type: 'formula', raw: found[0], text: tex.trim() };
  return source.length <= LONGEST_BEGUN && BEGUN.test(source) ? { type: 'formula', raw: source, text: source } : undefined;
}

/** Where a paragraph is cut for a formula on a line of its own, and only for a real one: marked reads what is left of the text anew
 * after every cut. */
function firstInParagraph(source: string): number | undefined {
  const end = PARAGRAPH_END.exec(source)?.index ?? source.length;
  for (const { index } of source.slice(0, end).matchAll(LINE_START)) if (byItself(source.slice(index + 1))) return index + 1;
  return undefined;
}

const formula: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'block',
  start: firstInParagraph,
  tokenizer: byItself,
  renderer: written,
};

const inlineFormula: TokenizerAndRendererExtension = {
  name: 'inlineFormula',
  level: 'inline',
  start: (source) => {
    const found = TEXT_END.exec(source);
    return found?.[0] === '$' ? found.index : undefined;
  },
  tokenizer: (source): Tokens.Generic | undefined => {
    const found = AMONG_WORDS.exec(source);
    const tex = found?.[1] ?? found?.[2];
    return found && tex !== undefined && isFormula(tex) ? { type: 'inlineFormula', raw: found[0], text: tex.trim() } : undefined;
  },
  renderer: written,
};

/** Those that change where a block ends, for cutting a text into blocks. */
export const BLOCK_MATHS = [formula];
export const MATHS = [formula, inlineFormula];
