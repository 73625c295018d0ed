/** Drafts of messages, kept on the device until it is sent: for each conversation, and for the next new one. Of the files
 * put to it only the ids. */
import { forget, recall, remember } from '../device';

export function draftOf(place: string): string {
  return recall(`draft.${place}`) ?? '';
}

export function keepDraft(place: string, text: string): void {
  if (text.trim() === '') forget(`draft.${place}`);
  else remember(`draft.${place}`, text);
}

/** Undefined when nothing is kept, which is not the same as none. */
export function draftFiles(place: string): string[] | undefined {
  return recall(`files.${place}`)?.split(' ').filter(Boolean);
}

/** Undefined: forget it. */
export function keepFiles(place: string, ids: readonly string[] | undefined): void {
  if (ids === undefined) forget(`files.${place}`);
  else remember(`files.${place}`, ids.join(' '));
}
