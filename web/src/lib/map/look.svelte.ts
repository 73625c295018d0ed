/** One map on the screen: what it shows, where its reader is, and what could not be done. */
import { Problem } from '../api/problem';
import type { MapEdit } from '../api/types';
import type { Chat } from '../chat/chat.svelte';
import { t } from '../i18n/index.svelte';
import { live } from '../state/live.svelte';
import { explain } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import type { Coord } from './actions';
import { Bus } from './bus';
import { Canvas } from './canvas';
import { woven, type Said } from './edits';
import { Kept } from './kept.svelte';
import type { Offer } from './offers.svelte';
import { askConfig, askEdits, sendEdit } from './server';
import { EMPTY, type MapLayer, type MapState, type Marker } from './state';

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
  failed = $state.raw<{ layer: string } | { entry: true } | { edits: true } | null>(null);
  /** Layers of which nothing is in sight here. */
  bare = $state.raw<readonly string[]>([]);
  attribution = $state('');
  /** The map under it is a sketch. */
  isSketch = $state(true);
  canvas = $state.raw<Canvas | null>(null);
  #kept: Kept;
  #bus: Bus | undefined;
  /** The last message there is. */
  #last: string | null = null;

  constructor(
    readonly chat: Pick<Chat, 'workspaceId' | 'id'>,
    readonly choose: (option: string) => void,
  ) {
    const place = { instanceId: chat.workspaceId, workflowId: chat.id };
    this.#kept = new Kept({
      ask: () => this.#ask(place),
      send: (made) => sendEdit(place, made),
      refused: (cause) => void toasts.show(`${t('map.notChanged')} ${explain(Problem.of(cause))}`, { tone: 'danger' }),
      unread: () => (this.failed = { edits: true }),
    });
  }

  /** Whether this reader may change what is on it. */
  get mayEdit(): boolean {
    return this.#kept.mayEdit;
  }

  /** On this element; returns the way to take it off. */
  begin(target: HTMLElement): () => void {
    const canvas = new Canvas(target, {
      moved: (center, resolution) => ((this.center = center), (this.resolution = resolution)),
      pointed: (coord) => (this.pointed = coord),
      clicked: (coord) => this.pin(coord),
      chose: this.choose,
      bare: (layers) => (this.bare = layers),
      layerFailed: ({ title }: MapLayer) => (this.failed = { layer: title }),
    });
    const bus = new Bus(canvas, { drawn: (state) => this.#drawn(state), failed: () => (this.failed = { entry: true }) }, isStill);
    this.#bus = bus;
    this.canvas = canvas;
    void this.#base(canvas);
    void this.#kept.look();
    const unfollow = live.follow(['map'], () => void this.#kept.look());
    return () => {
      unfollow();
      bus.stop();
      canvas.leave();
      this.canvas = null;
    };
  }

  /** Drawn once it is known what people have changed: nothing appears that was taken away. */
  follow(said: readonly Said[]): void {
    this.#last = said.findLast(({ messageId }) => messageId !== null)?.messageId ?? null;
    if (this.#kept.isKnown) void this.#bus?.follow(this.chat.id, woven(said, this.#kept.all));
  }

  /** A change by hand, for everybody who reads the conversation. */
  edit(edit: MapEdit): void {
    if (this.#last !== null) void this.#kept.make(this.#last, edit);
  }

  /** Off the map, until somebody wants it back. */
  removeMarker({ id, label }: Marker): void {
    const show = (visible: boolean) => this.edit({ type: 'showMarker', payload: { id, visible } });
    show(false);
    toasts.show(t('map.markerRemoved', { name: label }), { action: { label: t('action.undo'), run: () => show(true) } });
  }

  /** The same while it is still moving: seen here, and nowhere else yet. */
  try(edit: MapEdit): void {
    if (this.#last !== null) this.#kept.try(this.#last, edit);
  }

  /** Who may not change the map puts it aside for themselves. */
  closeExtract(): void {
    if (this.mayEdit) this.edit({ type: 'closeExtract', payload: {} });
    else this.side = null;
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
    this.state = state;
  }

  async #ask(place: Parameters<typeof askEdits>[0]) {
    const found = await askEdits(place);
    if (this.failed && 'edits' in this.failed) this.failed = null;
    return found;
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
}
