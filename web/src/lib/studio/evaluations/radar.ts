/** Where things stand in a radar of scores from 0 to 10: one axis per dimension, the first one upwards, clockwise. Pure. */

export const BEST = 10;
/** With fewer dimensions there is no area to see. */
export const FEWEST = 3;
export const LINE = 15;

const LETTER = 12; // pixels, the size of the names
const MOST_LINES = 3;
const GAP = 10; // between the tip of an axis and its name
const NUMBER = 24; // room for a number instead of a name
const WIDEST = 520;
const NARROW = 420; // below that there are numbers

export interface Point {
  x: number;
  y: number;
}

export interface Label extends Point {
  anchor: 'start' | 'middle' | 'end';
  lines: string[];
  /** What it covers. */
  box: Point & { width: number; height: number };
}

export interface Radar {
  width: number;
  height: number;
  radius: number;
  /** There are numbers instead of names. */
  isNumbered: boolean;
  labels: Label[];
  /** The point of a score on an axis. */
  at: (axis: number, score: number) => Point;
}

/** In this many pixels. Names that do not fit are cut; where there is no room for names, their numbers stand in their place. */
export function radarOf(names: readonly string[], room: number): Radar {
  const width = Math.min(WIDEST, room);
  const isNumbered = width < NARROW;
  const shown = isNumbered ? names.map((_, index) => String(index + 1)) : names;
  const side = isNumbered ? NUMBER : width * 0.25;
  const radius = Math.max(40, width / 2 - side - GAP);
  const around = shown.map((name, axis) => labelOf(wrapped(name, side), direction(axis, names.length), radius + GAP, side));
  const top = Math.min(...around.map(({ box }) => box.y)) - 2;
  const bottom = Math.max(...around.map(({ box }) => box.y + box.height)) + 2;
  const labels = around.map((label) => ({ ...label, ...moved(label, width / 2, -top), box: { ...label.box, ...moved(label.box, width / 2, -top) } }));
  const at = (axis: number, score: number): Point => {
    const { x, y } = direction(axis, names.length);
    const far = (radius * Math.min(BEST, Math.max(0, score))) / BEST;
    return moved({ x: x * far, y: y * far }, width / 2, -top);
  };
  return { width, height: bottom - top, radius, isNumbered, labels, at };
}

/** The corners of an outline, as SVG wants them; undefined where a score is missing. */
export function outline(radar: Radar, scores: readonly (number | undefined)[]): string | undefined {
  if (scores.some((score) => score === undefined)) return undefined;
  return scores.map((score, axis) => pair(radar.at(axis, score ?? 0))).join(' ');
}

const pair = ({ x, y }: Point) => `${round(x)},${round(y)}`;
const round = (value: number) => Math.round(value * 100) / 100;
const moved = ({ x, y }: Point, right: number, down: number): Point => ({ x: x + right, y: y + down });

function direction(axis: number, count: number): Point {
  const angle = (2 * Math.PI * axis) / count;
  return { x: Math.sin(angle), y: -Math.cos(angle) };
}

/** Above its tip at the top, below it at the bottom, and beside it in between. */
function labelOf(lines: string[], towards: Point, far: number, side: number): Label {
  const [x, height] = [towards.x * far, lines.length * LINE];
  const y = towards.y * far - (height * (1 - towards.y)) / 2;
  const anchor = Math.abs(towards.x) < 0.1 ? 'middle' : towards.x > 0 ? 'start' : 'end';
  const left = { start: x, middle: x - side / 2, end: x - side }[anchor];
  return { x, y, anchor, lines, box: { x: left, y, width: side, height } };
}

/** In lines no wider than that; what is too much is cut. */
function wrapped(name: string, width: number): string[] {
  const lines: string[] = [];
  for (const piece of name.match(/[\u2e80-\uffff]|[^\s\u2e80-\uffff]+/gu) ?? []) {
    const last = lines.at(-1);
    const joined = last === undefined ? piece : /[\u2e80-\uffff]$/u.test(last) ? last + piece : `${last} ${piece}`;
    if (last !== undefined && widthOf(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(piece);
  }
  const kept = lines.slice(0, MOST_LINES);
  return kept.map((line, index) => cut(line, width, index === MOST_LINES - 1 && lines.length > MOST_LINES));
}

function cut(line: string, width: number, goesOn: boolean): string {
  let end = line.length;
  while (end > 1 && widthOf(end < line.length || goesOn ? `${line.slice(0, end)}…` : line) > width) end -= 1;
  return end < line.length || goesOn ? `${line.slice(0, end).trimEnd()}…` : line;
}

/** About; rather too wide than too narrow. */
function widthOf(text: string): number {
  return [...text].reduce((sum, sign) => sum + LETTER * (/[\u2e80-\uffff]/u.test(sign) ? 1 : /[A-ZÄÖÜmwMW]/.test(sign) ? 0.8 : 0.55), 0);
}
