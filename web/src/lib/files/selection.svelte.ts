/** Which rows are selected, and where the keyboard is. The order of the rows is the caller's: it may change at any time. */

interface Keys {
  /** From where the last plain step was, to here. */
  shift?: boolean;
  /** This one more, or less. */
  toggle?: boolean;
}

export class Selection {
  ids = $state.raw<ReadonlySet<string>>(new Set());
  /** The row that has the keyboard. */
  cursor = $state<string | null>(null);
  #anchor: string | null = null;
  /** What was selected before Shift began to stretch it. */
  #base: ReadonlySet<string> = new Set();

  get size(): number {
    return this.ids.size;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** A click on a row; `order` is what lies between. */
  pick(id: string, order: readonly string[], { shift = false, toggle = false }: Keys = {}): void {
    this.cursor = id;
    if (shift && this.#anchor !== null && order.includes(this.#anchor)) {
      this.ids = new Set([...this.#base, ...between(order, this.#anchor, id)]);
      return;
    }
    if (toggle) this.ids = this.ids.has(id) ? without(this.ids, id) : new Set([...this.ids, id]);
    else this.ids = new Set(order.includes(id) ? [id] : []);
    this.#anchor = id;
    this.#base = toggle ? without(this.ids, id) : new Set();
  }

  /** A step of the keyboard through `rows`; with Shift it stretches over those in `order`. */
  step(by: number, rows: readonly string[], order: readonly string[], shift = false): void {
    if (rows.length === 0) return;
    const at = this.cursor === null ? -1 : rows.indexOf(this.cursor);
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + by));
    if (shift && (this.#anchor === null || !order.includes(this.#anchor))) this.#anchor = this.cursor;
    if (shift) this.pick(rows[next]!, order, { shift });
    else this.cursor = rows[next]!;
  }

  all(order: readonly string[]): void {
    this.ids = new Set(order);
  }

  clear(): void {
    this.ids = new Set();
    this.#base = new Set();
    this.#anchor = null;
  }

  /** Rows that are gone are not selected any more. */
  keep(order: readonly string[]): void {
    const left = [...this.ids].filter((id) => order.includes(id));
    if (left.length !== this.ids.size) this.ids = new Set(left);
  }
}

function between(order: readonly string[], from: string, to: string): string[] {
  const [a, b] = [order.indexOf(from), order.indexOf(to)];
  if (b < 0) return [];
  return order.slice(Math.min(a, b), Math.max(a, b) + 1);
}

function without(ids: ReadonlySet<string>, id: string): Set<string> {
  return new Set([...ids].filter((other) => other !== id));
}
