/** Tables as the server writes them, in Markdown, back to cells; and slices of a sheet put where they belong. Pure. */
import type { Stretch } from './quote';
import type { ContentObject } from './types';

export type Cells = readonly string[];

/** Rows by their number, from 1; what is not there yet, or empty, is absent. */
export interface Grid {
  rows: Map<number, Map<number, string>>;
  /** Number of the last row and column that hold something. */
  height: number;
  width: number;
  /** Whether the numbers of rows are those of the file. */
  exact: boolean;
  /** What was put there, in the order in which it is read: of two tables beside each other first the whole of one. */
  regions: Region[];
}

/** From one row and column to another, both included. */
export interface Region {
  first: number;
  last: number;
  left: number;
  right: number;
}

export const emptyGrid = (): Grid => ({ rows: new Map(), height: 0, width: 0, exact: true, regions: [] });

/** The rows of a Markdown table, the line below the header left out. */
export function parseTable(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.filter((line, index) => index !== 1 || !/^\|(?: --- \|)+$/.test(line)).map(cellsOf);
}

/** `\|` is a bar and `\\` a backslash; a bar by itself ends a cell. */
export function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  for (let at = 1; at < line.length; at += 1) {
    const sign = line[at]!;
    if (sign === '\\' && at + 1 < line.length) cell += line[(at += 1)];
    else if (sign === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += sign;
  }
  if (cell.trim() !== '') cells.push(cell.trim());
  return cells;
}

export interface Slice {
  first: number;
  last: number;
  /** Number of the first column, from 1. */
  column: number;
}

/** `sheet:Q4/rows:1-200/columns:B-D`: where on the sheet. */
export function sliceOf(location: string): Slice | undefined {
  const [, first, last] = /(?:^|\/)rows:(\d+)-(\d+)/.exec(location) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const [, letters = 'A'] = /\/columns:([A-Z]+)-[A-Z]+$/.exec(location) ?? [];
  return { first: Number(first), last: Number(last), column: columnNumber(letters) };
}

/** Add what one object says; others of the same sheet may follow. Slices after the first repeat the header, which is left out. */
export function addTo(grid: Grid, object: ContentObject): void {
  const slice = sliceOf(object.ref.location);
  if (object.contentType !== 'text' || !slice) return;
  if (object.metadata['table'] !== true) return region(grid, slice, [[object.text]]);
  let rows = parseTable(object.text);
  const wanted = slice.last - slice.first + 1;
  const declared = Number(object.metadata['rows'] ?? wanted);
  // Empty rows are not written: then only the first and the last number are certain.
  if (rows.length === declared + 1) rows = rows.slice(1);
  if (rows.length !== wanted) grid.exact = false;
  region(grid, slice, rows);
}

function region(grid: Grid, { first, last, column }: Slice, rows: readonly Cells[]): void {
  for (const [index, cells] of rows.entries()) put(grid, index === rows.length - 1 ? last : first + index, column, cells);
  const right = column + Math.max(...rows.map(({ length }) => length)) - 1;
  grid.regions.push({ first, last, left: column, right });
}

function put(grid: Grid, number: number, column: number, cells: Cells): void {
  const row = grid.rows.get(number) ?? new Map<number, string>();
  grid.rows.set(number, row);
  for (const [index, text] of cells.entries()) {
    if (text === '') continue;
    row.set(column + index, text);
    grid.width = Math.max(grid.width, column + index);
  }
  grid.height = Math.max(grid.height, number);
}

/** Which cells a quotation stands in, from this row on: `3:2` is column 2 of row 3. */
export function cellsQuoted(grid: Grid, find: (text: string) => readonly Stretch[], from = 1): string[] {
  const cells: { start: number; end: number; key: string }[] = [];
  let text = '';
  for (const { first, last, left, right } of grid.regions) {
    for (let number = Math.max(first, from); number <= last; number += 1) {
      for (let column = left; column <= right; column += 1) {
        const cell = grid.rows.get(number)?.get(column);
        if (cell === undefined) continue;
        cells.push({ start: text.length, end: text.length + cell.length, key: `${number}:${column}` });
        text += `${cell}\n`;
      }
    }
  }
  const found = find(text);
  return cells.filter((cell) => found.some(({ start, end }) => start < cell.end && end > cell.start)).map(({ key }) => key);
}

export function columnNumber(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

export function columnLetters(number: number): string {
  let letters = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

const NARROW = 72;
const WIDE = 300;
const SAMPLE = 120;

/** Widths of columns in pixels, by what their first rows hold; index 0 is column A. */
export function columnWidths(grid: Grid, columns: number): number[] {
  const widths = new Array<number>(columns).fill(NARROW);
  let seen = 0;
  for (const row of grid.rows.values()) {
    if ((seen += 1) > SAMPLE) break;
    for (const [column, text] of row) {
      if (column <= columns) widths[column - 1] = Math.max(widths[column - 1]!, Math.min(WIDE, 20 + breadth(text) * 7.4));
    }
  }
  return widths;
}

/** Chinese and Japanese signs are twice as wide. */
function breadth(text: string): number {
  const cut = text.slice(0, 60);
  return cut.length + (cut.match(/[\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]/g)?.length ?? 0);
}

export const isNumeric = (text: string): boolean => /^[-+]?[\d’' .,]*\d[\d.,]*\s?%?$/.test(text) && !/^\d{4}-\d{2}/.test(text);
