/** What is different between two texts, line by line, and the text that takes some of it. Pure. */

export interface Change {
  kind: 'change';
  removed: readonly string[];
  added: readonly string[];
}

export type Piece = { kind: 'same'; lines: readonly string[] } | Change;

// Texts that differ in more lines than this have little in common: they are shown as one change.
const MOST_EDITS = 1_000;

/** The shortest way from one to the other (Myers' algorithm), as runs of equal lines and changes between them. */
export function compare(before: string, after: string): Piece[] {
  const [old, young] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, young.length);
  let head = 0;
  while (head < shorter && old[head] === young[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === young[young.length - 1 - tail]) tail += 1;
  const middle = edits(old.slice(head, old.length - tail), young.slice(head, young.length - tail));
  return gathered([same(old.slice(0, head)), ...middle, same(old.slice(old.length - tail))]);
}

/** The text with only those changes that are taken, by their place among the changes. */
export function merged(pieces: readonly Piece[], takes: (change: number) => boolean): string {
  let number = -1;
  const lines = pieces.flatMap((piece) => {
    if (piece.kind === 'same') return piece.lines;
    number += 1;
    return takes(number) ? piece.added : piece.removed;
  });
  return lines.join('\n');
}

export function changesOf(pieces: readonly Piece[]): Change[] {
  return pieces.filter((piece) => piece.kind === 'change');
}

function edits(old: readonly string[], young: readonly string[]): Piece[] {
  const trace = furthest(old, young);
  if (trace === undefined) return [{ kind: 'change', removed: old, added: young }];
  const pieces: Piece[] = [];
  let [x, y] = [old.length, young.length];
  for (let step = trace.length - 1; step >= 0; step -= 1) {
    const reach = trace[step]!;
    const diagonal = x - y;
    const down = goesDown(reach, step, diagonal);
    const fromX = step === 0 ? 0 : reach.get(down ? diagonal + 1 : diagonal - 1)!;
    const fromY = step === 0 ? 0 : fromX - (down ? diagonal + 1 : diagonal - 1);
    const equal = Math.min(x - fromX, y - fromY);
    pieces.push(same(old.slice(x - equal, x)));
    if (step > 0) pieces.push({ kind: 'change', removed: down ? [] : [old[fromX]!], added: down ? [young[fromY]!] : [] });
    [x, y] = [fromX, fromY];
  }
  return pieces.reverse();
}

/** For each number of edits, how far each diagonal had been followed before them; nothing when they are too many. */
function furthest(old: readonly string[], young: readonly string[]): Map<number, number>[] | undefined {
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>();
  for (let step = 0; step <= MOST_EDITS; step += 1) {
    trace.push(reach);
    const next = new Map<number, number>();
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      let x = step === 0 ? 0 : goesDown(reach, step, diagonal) ? reach.get(diagonal + 1)! : reach.get(diagonal - 1)! + 1;
      while (x < old.length && x - diagonal < young.length && old[x] === young[x - diagonal]) x += 1;
      if (x >= old.length && x - diagonal >= young.length) return trace;
      next.set(diagonal, x);
    }
    reach = next;
  }
  return undefined;
}

function goesDown(reach: ReadonlyMap<number, number>, step: number, diagonal: number): boolean {
  return diagonal === -step || (diagonal !== step && reach.get(diagonal - 1)! < reach.get(diagonal + 1)!);
}

function same(lines: readonly string[]): Piece {
  return { kind: 'same', lines };
}

/** Neighbours of a kind as one; nothing empty. */
function gathered(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'same' && piece.lines.length === 0) continue;
    const last = all.at(-1);
    if (last?.kind === 'same' && piece.kind === 'same') all[all.length - 1] = same([...last.lines, ...piece.lines]);
    else if (last?.kind === 'change' && piece.kind === 'change') {
      all[all.length - 1] = { kind: 'change', removed: [...last.removed, ...piece.removed], added: [...last.added, ...piece.added] };
    } else all.push(piece);
  }
  return all.filter((piece) => piece.kind === 'same' || piece.removed.length + piece.added.length > 0);
}
