/** One map on the screen: what it shows, where its reader is, and what could not be done. */
import { Problem } from '../api/problem';
import type { MapEdit } from '../api/types';
import type { Chat } from '../chat/chat.svelte';
import { t } from '../i18n/index.svelte';
import { live } from '../state/live.svelte';
import { explain } from '../state/say';
import { toasts } from '../state/toasts.svelte';
import { ActionQueue } from './actionQueue';
import type { Coord } from './actions';
import { Canvas } from './canvas';
import { mapLog, type MessageMapActions } from './edits';
import { MapEdits } from './mapEdits.svelte';
import type { Offer } from './offers.svelte';
import { askConfig, askEdits, sendEdit } from './server';
import { EMPTY, type MapLayer, type MapState, type Marker } from './state';

export type Side = 'layers' | 'extract';

/** Whether nothing should move: the reader prefers that, or the page is hidden. */
export function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden;
}

export class MapView {
  state = $state.raw<MapState>(EMPTY);
  center = $state.raw<Coord | null>(null);
  resolution = $state(0);
  pointed = $state.raw<Coord | null>(null);
  /** Where the reader has clicked: that stays when the pointer goes on. */
  pinned = $state.raw<Coord | null>(null);
  side = $state<Side | null>(null);
  /** What could not be done last; a layer by its title. */
  failed = $state.raw<{ layer: string } | { entry: true } | { edits: true } | null>(null);
  /** Layers of which nothing is in sight here. */
  emptyLayers = $state.raw<readonly string[]>([]);
  attribution = $state('');
  /** The map under it is a sketch. */
  isSketch = $state(true);
  canvas = $state.raw<Canvas | null>(null);
  #edits: MapEdits;
  #queue: ActionQueue | undefined;
  /** The last message there is. */
  #last: string | null = null;

  constructor(
    readonly chat: Pick<Chat, 'workspaceId' | 'id'>,
    readonly choose: (option: string) => void,
  ) {
    const place = { instanceId: chat.workspaceId, workflowId: chat.id };
    this.#edits = new MapEdits({
      load: () => this.#loadEdits(place),
      send: (edit) => sendEdit(place, edit),
      onRefused: (cause) => void toasts.show(`${t('map.notChanged')} ${explain(Problem.of(cause))}`, { tone: 'danger' }),
      onLoadFailed: () => (this.failed = { edits: true }),
    });
  }

  /** Whether this reader may change what is on it. */
  get mayEdit(): boolean {
    return this.#edits.mayEdit;
  }

  /** Shows the map in this element; returns the function that takes it off. */
  begin(target: HTMLElement): () => void {
    const canvas = new Canvas(target, {
      moved: (center, resolution) => ((this.center = center), (this.resolution = resolution)),
      pointed: (coord) => (this.pointed = coord),
      clicked: (coord) => this.pin(coord),
      chose: this.choose,
      emptyLayersChanged: (layers) => (this.emptyLayers = layers),
      layerFailed: ({ title }: MapLayer) => (this.failed = { layer: title }),
    });
    const queue = new ActionQueue(canvas, { drawn: (state) => this.#drawn(state), failed: () => (this.failed = { entry: true }) }, isStill);
    this.#queue = queue;
    this.canvas = canvas;
    void this.#base(canvas);
    void this.#edits.reload();
    const unfollow = live.follow(['map'], () => void this.#edits.reload());
    return () => {
      unfollow();
      queue.stop();
      canvas.leave();
      this.canvas = null;
    };
  }

  /** Drawn once the edits are loaded: nothing appears that was taken away. */
  follow(messages: readonly MessageMapActions[]): void {
    this.#last = messages.findLast(({ messageId }) => messageId !== null)?.messageId ?? null;
    if (this.#edits.isKnown) void this.#queue?.follow(this.chat.id, mapLog(messages, this.#edits.all));
  }

  /** A change by hand, for everybody who reads the conversation. */
  edit(edit: MapEdit): void {
    if (this.#last !== null) void this.#edits.make(this.#last, edit);
  }

  /** Off the map, with an offer to put it back. */
  removeMarker({ id, label }: Marker): void {
    const show = (visible: boolean) => this.edit({ type: 'showMarker', payload: { id, visible } });
    show(false);
    toasts.show(t('map.markerRemoved', { name: label }), { action: { label: t('action.undo'), run: () => show(true) } });
  }

  /** The same while it is still moving: shown here, and not sent yet. */
  try(edit: MapEdit): void {
    if (this.#last !== null) this.#edits.try(this.#last, edit);
  }

  /** For readers who may not edit the map, on their screen only. */
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

  async #loadEdits(place: Parameters<typeof askEdits>[0]) {
    const stored = await askEdits(place);
    if (this.failed && 'edits' in this.failed) this.failed = null;
    return stored;
  }

  async #base(canvas: Canvas): Promise<void> {
    try {
      const { wmts, attribution } = await askConfig();
      if (this.canvas !== canvas) return;
      if (wmts) canvas.lay(wmts);
      this.isSketch = !wmts;
      this.attribution = wmts ? attribution : '';
    } catch {
      // Without it the sketch stays, which needs no server.
    }
  }
}
