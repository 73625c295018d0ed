/** Many things below one another, few of which are drawn: where each begins, and which are in sight. Pure.
 *
 * Heights are guessed until they are known. What is guessed wrong is corrected when it is drawn; the reader keeps the
 * place they look at by remembering an `Anchor` rather than a number of pixels.
 */

export interface Span {
  first: number;
  /** Not included. */
  end: number;
}

export interface Anchor {
  index: number;
  /** Pixels from its beginning. */
  offset: number;
}

export class Stack {
  #known: (number | undefined)[] = [];
  #tops: number[] | undefined;
  #count = 0;

  constructor(
    private estimate: number,
    readonly gap = 0,
  ) {}

  get count(): number {
    return this.#count;
  }

  set count(count: number) {
    if (count === this.#count) return;
    this.#count = count;
    this.#known.length = Math.min(this.#known.length, count);
    this.#tops = undefined;
  }

  get total(): number {
    return this.count === 0 ? 0 : this.top(this.count - 1) + this.height(this.count - 1);
  }

  height(index: number): number {
    return this.#known[index] ?? this.estimate;
  }

  top(index: number): number {
    return this.#begin()[index] ?? 0;
  }

  /** What one of them is like when nothing is known of it. */
  guess(height: number): void {
    if (height === this.estimate) return;
    this.estimate = height;
    this.#tops = undefined;
  }

  /** One has been measured; whether that changes anything. */
  learn(index: number, height: number): boolean {
    if (index >= this.count || Math.abs(this.height(index) - height) < 0.5) return false;
    this.#known[index] = height;
    this.#tops = undefined;
    return true;
  }

  /** Everything grows alike: a new zoom. */
  scale(factor: number): void {
    this.estimate *= factor;
    this.#known = this.#known.map((height) => height && height * factor);
    this.#tops = undefined;
  }

  forget(): void {
    this.#known = [];
    this.#tops = undefined;
  }

  /** The one at this many pixels from the beginning; the gap below it belongs to it. */
  at(offset: number): number {
    const tops = this.#begin();
    let low = 0;
    let high = tops.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (tops[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  /** Those in sight, and `beyond` more on each side. */
  span(offset: number, viewport: number, beyond = 1): Span {
    if (this.count === 0) return { first: 0, end: 0 };
    return { first: Math.max(0, this.at(offset) - beyond), end: Math.min(this.count, this.at(offset + viewport) + 1 + beyond) };
  }

  anchor(offset: number): Anchor {
    const index = this.at(offset);
    return { index, offset: offset - this.top(index) };
  }

  offset({ index, offset }: Anchor): number {
    return this.top(Math.min(index, Math.max(0, this.count - 1))) + offset;
  }

  #begin(): number[] {
    if (this.#tops) return this.#tops;
    const tops = new Array<number>(this.#count);
    let top = 0;
    for (let index = 0; index < this.#count; index += 1) {
      tops[index] = top;
      top += this.height(index) + this.gap;
    }
    return (this.#tops = tops);
  }
}

/** Rows of one height: those in sight, and some more. */
export function rowsInSight(offset: number, viewport: number, row: number, count: number, beyond = 8): Span {
  const first = Math.max(0, Math.min(count, Math.floor(offset / row)) - beyond);
  return { first, end: Math.min(count, Math.ceil((offset + viewport) / row) + beyond) };
}
