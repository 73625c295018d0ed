/** The links of a page that are drawn over its picture: those that lead somewhere a browser opens without doing anything else.
 * Pure. */
import type { Box, PageLink } from './types';

export type Drawn = Box & ({ address: string } | { page: number });

/** Web pages and mails; what a file claims beyond that is not for one click. */
const OPENS = ['http:', 'https:', 'mailto:'];

export function drawable(links: readonly PageLink[], pages: number): Drawn[] {
  return links.flatMap(({ x, y, width, height, address, pageIndex }): Drawn[] => {
    const box = { x, y, width, height };
    if (address != null) return isOpenable(address) ? [{ ...box, address }] : [];
    return pageIndex != null && pageIndex >= 0 && pageIndex < pages ? [{ ...box, page: pageIndex + 1 }] : [];
  });
}

/** Where its address is shown without leaving the page: away from the nearest edges. */
export function tipSide({ x, y, width, height }: Box, page: { width: number; height: number }): { up: boolean; left: boolean } {
  return { up: y + height / 2 > page.height / 2, left: x + width / 2 > page.width / 2 };
}

function isOpenable(address: string): boolean {
  try {
    return OPENS.includes(new URL(address).protocol);
  } catch {
    return false;
  }
}
