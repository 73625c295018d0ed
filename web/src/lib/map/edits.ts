/** Changes that users have made on a map by hand, each after a message: one counts after the actions of that message, on branches
 * that have it, until a newer action. Pure. */
import type { MapEdit } from '../api/types';
import type { MapAction } from './actions';
import type { Entry } from './state';

export interface AnchoredEdit {
  /** The last message when it was made. */
  after: string;
  edit: MapEdit;
}

/** A message, and its actions on the map; without an id, those of a message that is not complete yet. */
export interface MessageMapActions {
  messageId: string | null;
  actions: readonly MapAction[];
}

/** Adds an edit; of the same thing changed twice after the same message only the last is kept, as the server does. */
export function withEdit(edits: readonly AnchoredEdit[], added: AnchoredEdit): AnchoredEdit[] {
  return [...edits.filter((other) => !isSame(other, added)), added];
}

/** Actions and edits in the order they were made. Edits on another branch are not among them. */
export function mapLog(messages: readonly MessageMapActions[], edits: readonly AnchoredEdit[]): Entry[] {
  const after = new Map<string | null, MapEdit[]>();
  for (const anchored of edits) after.set(anchored.after, [...(after.get(anchored.after) ?? []), anchored.edit]);
  return messages.flatMap(({ messageId, actions }) => [...actions, ...(after.get(messageId) ?? [])]);
}

function isSame(one: AnchoredEdit, other: AnchoredEdit): boolean {
  return one.after === other.after && one.edit.type === other.edit.type && layerOf(one.edit) === layerOf(other.edit);
}

function layerOf({ payload }: MapEdit): string {
  return 'id' in payload ? payload.id : '';
}
