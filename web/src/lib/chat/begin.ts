/** The keyboard goes to where one writes: as that appears, or with the page where nothing else has it. */

export type Begins = 'page' | 'here' | undefined;

export function beginIn(element: HTMLTextAreaElement, begins: Begins): void {
  const active = document.activeElement;
  const free = active === document.body || active?.id === 'page';
  // On a phone it would only raise the keys.
  if (begins === 'here' || (begins === 'page' && free && matchMedia('(pointer: fine)').matches)) element.focus({ preventScroll: begins === 'page' });
  if (begins === 'here') element.setSelectionRange(element.value.length, element.value.length);
}
