import { Marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { grow, NOTHING } from '../src/lib/markdown/blocks';
import { isColoured } from '../src/lib/markdown/colourCode';
import { MATHS } from '../src/lib/markdown/maths';

const marked = new Marked({ extensions: MATHS });
const html = (text: string) => String(marked.parse(text)).trim();
const formulas = (text: string) => [...html(text).matchAll(/data-math="(\w+)">([^<]*)/g)].map(([, kind, tex]) => `${kind}: ${tex}`);

describe('formulas', () => {
  it.each([
    ['the area is $\\pi r^2$, and $x$ too', ['inline: \\pi r^2', 'inline: x']],
    ['\\(a_b\\) and \\[c\\]', ['inline: a_b']],
    ['$$\na\n+ b\n$$', ['block: a\n+ b']],
    ['\\[\n\\frac{1}{2}\n\\]', ['block: \\frac{1}{2}']],
    ['so $2x + 1$ holds', ['inline: 2x + 1']],
    ['$a<b$', ['inline: a&lt;b']],
  ])('are found in %s', (text, found) => expect(formulas(text)).toEqual(found));

  it.each(['$5 and $6', 'between $5 and 10$ a day', 'US$5-US$6', 'it is $ 5 $', 'costs $5, $6 or $7', '`$x$`', '\\$x$', '$$', 'a $20,000 car and a $30,000 one', '```\n$x$\n```', '$PATH:$HOME/bin'])(
    'are none in %s',
    (text) => expect(formulas(text)).toEqual([]),
  );

  it('keep their signs from Markdown', () => {
    expect(html('$a_1 * b_2 * c$')).not.toContain('<em>');
  });

  it('are one block also while they grow', () => {
    const text = 'Before.\n\n$$\na\n+ b\n$$\n\nAfter.';
    let blocks = NOTHING;
    for (let at = 1; at <= text.length; at += 1) blocks = grow(blocks, text.slice(0, at - 1), text.slice(0, at));
    expect([...blocks.settled, ...blocks.tail].map(({ raw }) => raw.trim())).toEqual(['Before.', '$$\na\n+ b\n$$', 'After.']);
  });

  it('cut a paragraph only at the beginning of a line', () => {
    expect(html('so a$$b^2$$')).toBe('<p>so a$$b^2$$</p>');
    expect(formulas('so\n$$b^2$$\nholds')).toEqual(['block: b^2']);
  });

  it.each(['$', '$$', '$$\n', '\n$$', '$$a\n', '\\[\n', '\\(a ', '\\[a\n\n', 'a\n\n', 'a\n \n'])('of nothing but %j are read in linear time', (piece) => {
    // By its square, this would take longer than any test may; and it is read anew with every word of a growing answer.
    const hostile = piece.repeat(100_000 / piece.length);
    expect(grow(NOTHING, '', hostile).length).toBeLessThanOrEqual(hostile.length);
  });

  it.each(['[', '![', '<', '\\(a ', '$a ', '$'])('among %j are looked for in linear time', (piece) => {
    expect(formulas(`${piece.repeat(100_000 / piece.length)}\n\n$x$`)).toContain('inline: x');
  }, 60_000);
});

describe('hostile answers', () => {
  it('of quotes thousands deep are shown as text', () => {
    const deep = `${'>'.repeat(8_000)}x`;
    const { settled, tail } = grow(NOTHING, '', `Before.\n\n${deep}\n\nAfter.`);
    expect([...settled, ...tail].map(({ raw }) => raw.trim())).toEqual(['Before.', deep, 'After.']);
  }, 60_000);

  it('with code of one endless word are not coloured', () => {
    expect([isColoured('let a = 1;\n'.repeat(1_000)), isColoured('a'.repeat(5_000)), isColoured('a '.repeat(20_000))]).toEqual([true, false, false]);
  });
});
