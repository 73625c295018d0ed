/** What somebody was writing, kept on the device until it is sent: for each conversation, and for the next new one. */
import { forget, recall, remember } from '../device';

export function draftOf(place: string): string {
  return recall(`draft.${place}`) ?? '';
}

export function keepDraft(place: string, text: string): void {
  if (text.trim() === '') forget(`draft.${place}`);
  else remember(`draft.${place}`, text);
}
