/** One map on the screen: what it shows, where its reader is, and what could not be done. */
import { forget, recall, remember } from '../device';
import type { Coord } from './actions';
import { Bus } from './bus';
import { Canvas } from './canvas';
import { readEdits, withEdit, woven, type Change, type Made } from './edits';
import type { Offer } from './offers.svelte';
import { askConfig } from './server';
import { EMPTY, type Entry, type MapLayer, type MapState } from './state';
import type { ordersIn } from './where';

export type Side = 'layers' | 'extract';

/** Somebody who wants nothing to move, or who does not see it. */
export function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden;
}

export class Look {
  state = $state.raw<MapState>(EMPTY);
  center = $state.raw<Coord | null>(null);
  resolution = $state(0);
  pointed = $state.raw<Coord | null>(null);
  /** Where somebody has clicked: that stays when the pointer goes on. */
  pinned = $state.raw<Coord | null>(null);
  side = $state<Side | null>(null);
  /** What could not be done last; a layer by its title. */
  failed = $state.raw<{ layer: string } | { entry: true } | null>(null);
  attribution = $state('');
  /** The map under it is a sketch. */
  isSketch = $state(true);
  canvas = $state.raw<Canvas | null>(null);
  #made = $state.raw<readonly Made[]>([]);
  #bus: Bus | undefined;
  #orders = 0;

  constructor(
    readonly conversation: string,
    readonly choose: (option: string) => void,
  ) {
    this.#made = readEdits(recall(this.#key));
  }

  /** On this element; returns the way to take it off. */
  begin(target: HTMLElement): () => void {
    const canvas = new Canvas(target, {
      moved: (center, resolution) => ((this.center = center), (this.resolution = resolution)),
      pointed: (coord) => (this.pointed = coord),
      clicked: (coord) => this.pin(coord),
      chose: this.choose,
      layerFailed: ({ title }: MapLayer) => (this.failed = { layer: title }),
    });
    const bus = new Bus(canvas, { drawn: (state) => this.#drawn(state), failed: () => (this.failed = { entry: true }) }, isStill);
    this.#bus = bus;
    this.canvas = canvas;
    void this.#base(canvas);
    return () => {
      bus.stop();
      canvas.leave();
      this.canvas = null;
    };
  }

  follow(orders: ReturnType<typeof ordersIn>): void {
    this.#orders = orders.length;
    const log: Entry[] = woven(orders, this.#made);
    void this.#bus?.follow(this.conversation, log);
  }

  /** A change by the reader, kept on the device. */
  edit(edit: Change): void {
    this.#made = withEdit(this.#made, this.#orders, edit);
    remember(this.#key, JSON.stringify(this.#made));
  }

  pin(coord: Coord | null): void {
    this.pinned = coord;
    this.canvas?.cross(coord);
  }

  offer(list: readonly Offer[], looked: string | null): void {
    this.canvas?.offer(list, looked);
  }

  #drawn(state: MapState): void {
    if (state.extract && state.extract.egrid !== this.state.extract?.egrid) this.side = 'extract';
    if (!state.extract && this.side === 'extract') this.side = null;
    if (state === EMPTY) forget(this.#key);
    this.state = state;
  }

  async #base(canvas: Canvas): Promise<void> {
    try {
      const { wmts, attribution } = await askConfig();
      if (this.canvas !== canvas) return;
      if (wmts) canvas.lay(wmts);
      this.isSketch = !wmts;
      this.attribution = wmts ? attribution : '';
    } catch {
      // Without it the sketch stays, which needs nobody.
    }
  }

  get #key(): string {
    return `map.${this.conversation}`;
  }
}
