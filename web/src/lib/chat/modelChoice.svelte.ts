/** The model chosen for the next answers of a conversation; kept on the device, as drafts are. */
import type { Model } from '../api/types';
import { forget, recall, remember } from '../device';
import { models } from '../state/models.svelte';

export class ModelChoice {
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

  /** The model that answers next. */
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

const choices = new Map<string, ModelChoice>();

/** The choice at a place where messages are written: the id of a conversation, or `newIn`. */
export function modelChoiceAt(place: string): ModelChoice {
  const choice = choices.get(place) ?? new ModelChoice(place);
  choices.set(place, choice);
  return choice;
}

/** The place where a new conversation begins, for its draft and its model choice. */
export function newIn(workspaceId: string): string {
  return `new.${workspaceId}`;
}

/** A new conversation has got its id: it keeps the choice it began with, and the next one begins without. */
export function moveModelChoice(from: string, to: string): void {
  modelChoiceAt(to).choose(modelChoiceAt(from).chosen?.model);
  modelChoiceAt(from).choose(undefined);
}
