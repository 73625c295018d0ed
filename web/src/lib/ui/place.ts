/** Put a popover beside the button that opened it, inside the window. */

const GAP = 6;
const MARGIN = 8;

export function place(popover: HTMLElement, button: HTMLElement, align: 'start' | 'end'): void {
  const from = button.getBoundingClientRect();
  const size = popover.getBoundingClientRect();
  const left = align === 'start' ? from.left : from.right - size.width;
  const below = from.bottom + GAP;
  const top = below + size.height + MARGIN > innerHeight ? from.top - GAP - size.height : below;
  popover.style.left = `${clamp(left, innerWidth - size.width)}px`;
  popover.style.top = `${clamp(top, innerHeight - size.height)}px`;
}

function clamp(value: number, most: number): number {
  return Math.max(MARGIN, Math.min(value, most - MARGIN));
}
