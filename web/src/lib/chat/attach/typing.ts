/** Changes a text field as the keyboard does it: what was there comes back with undo, and everybody who listens hears of it. */
import type { Change } from './mention';

export function typeInto(field: HTMLTextAreaElement, { start, end, text, caret }: Change): void {
  field.focus();
  field.setSelectionRange(start, end);
  // Of old, and the only way that undo knows of.
  if (!document.execCommand('insertText', false, text)) {
    field.setRangeText(text, start, end, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  field.setSelectionRange(caret, caret);
}
