/** Invisible text over the picture of a page, so that it can be selected: each line as wide as it is drawn. Pure. */
import type { Box, PageLine } from './types';

export interface Placed {
  text: string;
  x: number;
  y: number;
  size: number;
  /** How much wider than by itself. */
  stretch: number;
}

/** Letters reach a little over the box of their line: descenders. */
const FONT_SHARE = 0.86;

/** `measure` says how wide a text is in a font of size 1. */
export function placed(lines: readonly PageLine[], measure: (text: string) => number): Placed[] {
  return lines.flatMap(({ text, x, y, width, height }) => {
    if (text.trim() === '' || height <= 0 || width <= 0) return [];
    const isUpright = height > width * 2 && text.length > 2;
    const size = (isUpright ? width : height) * FONT_SHARE;
    const natural = measure(text) * size;
    return [{ text, x, y, size, stretch: natural > 0 && !isUpright ? width / natural : 1 }];
  });
}

/** A measure of the browser's own; one canvas for all pages. */
export function fontMeasure(font: string): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return (text) => text.length * 0.5;
  context.font = `100px ${font}`;
  return (text) => context.measureText(text).width / 100;
}

/** The union of boxes: what has to be in sight. */
export function around(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Widths in steps: a page that is a little wider takes the picture that is there already. */
export function imageWidth(shown: number, density: number): number {
  return Math.min(3000, Math.max(200, Math.ceil((shown * Math.min(density, 2.5)) / 200) * 200));
}
