/** Which model somebody wants for the next answers of a conversation; kept on the device, as drafts are. */
import type { Model } from '../api/types';
import { forget, recall, remember } from '../device';
import { models } from '../state/models.svelte';

export class Wish {
  #ref = $state<string | null>(null);
  #key: string;

  constructor(place: string) {
    this.#key = `model.${place}`;
    this.#ref = recall(this.#key);
  }

  /** What was chosen, as long as it is there to be used. */
  get chosen(): Model | undefined {
    return models.usable.find(({ model }) => model === this.#ref);
  }

  /** Who answers next. */
  get model(): Model | undefined {
    return this.chosen ?? models.answering;
  }

  /** Undefined: as it is set up. */
  choose(ref: string | undefined): void {
    this.#ref = ref ?? null;
    if (ref === undefined) forget(this.#key);
    else remember(this.#key, ref);
  }
}

const wishes = new Map<string, Wish>();

/** The wish at a place where one writes: the id of a conversation, or `newIn`. */
export function wishAt(place: string): Wish {
  const wish = wishes.get(place) ?? new Wish(place);
  wishes.set(place, wish);
  return wish;
}

/** The place where a new conversation begins, for its draft and its wish. */
export function newIn(workspaceId: string): string {
  return `new.${workspaceId}`;
}

/** A new conversation has got its id: it keeps the wish it began with, and the next one begins without. */
export function moveWish(from: string, to: string): void {
  wishAt(to).choose(wishAt(from).chosen?.model);
  wishAt(from).choose(undefined);
}
