/** A card that has just appeared takes the keyboard, unless the focus is in use elsewhere on the page. */

export function lookHere(card: HTMLElement): void {
  if (!isFree(document.activeElement)) return;
  // On a phone a field would raise the keyboard and hide the question.
  const start = matchMedia('(pointer: fine)').matches ? '[data-start], textarea' : '[data-start]';
  (card.querySelector<HTMLElement>(start) ?? card).focus({ preventScroll: true });
}

/** An answered card gives the keyboard back: to the field for the next message, unless the focus has moved meanwhile. */
export function goOn(card: HTMLElement): void {
  const active = document.activeElement;
  if (active !== null && active !== document.body && !card.contains(active)) return;
  const fields = document.querySelectorAll<HTMLElement>('main [data-next]'); // the last is the conversation's own
  if (matchMedia('(pointer: fine)').matches) [...fields].at(-1)?.focus({ preventScroll: true });
}

/** The focus is nowhere, or in the page's own field with nothing typed. */
function isFree(active: Element | null): boolean {
  if (active === null || active === document.body) return true;
  const typed = active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement ? active.value : '';
  return typed === '' && active.closest('main') !== null;
}
