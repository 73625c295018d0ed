/** Short messages at the edge of the screen, some with a way back. */

export interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'danger';
  action?: { label: string; run: () => void } | undefined;
}

const STAY_MS = 6_000;
const STAY_WITH_ACTION_MS = 10_000;

class Toasts {
  items = $state.raw<Toast[]>([]);
  #regions = $state.raw<readonly symbol[]>([]);
  #next = 1;
  #timers = new Map<number, ReturnType<typeof setTimeout>>();

  /** A place on the screen to show them; returns the way to take it away. */
  open(region: symbol): () => void {
    this.#regions = [...this.#regions, region];
    return () => (this.#regions = this.#regions.filter((other) => other !== region));
  }

  /** What to show there. Beside an open dialog nothing can be clicked, so the newest region has them all. */
  at(region: symbol): readonly Toast[] {
    return this.#regions.at(-1) === region ? this.items : [];
  }

  show(text: string, options: Partial<Pick<Toast, 'tone' | 'action'>> = {}): number {
    const toast: Toast = { id: this.#next++, text, tone: 'plain', ...options };
    this.items = [...this.items.slice(-2), toast];
    this.resume(toast);
    return toast.id;
  }

  dismiss(id: number): void {
    this.hold(id);
    this.items = this.items.filter((toast) => toast.id !== id);
  }

  /** It stays while it has the focus or the pointer. */
  hold(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  resume(toast: Toast): void {
    this.hold(toast.id);
    const stay = toast.action ? STAY_WITH_ACTION_MS : STAY_MS;
    this.#timers.set(toast.id, setTimeout(() => this.dismiss(toast.id), stay));
  }
}

export const toasts = new Toasts();
