/** A place in a file that can be opened: as the server says it, and as the preview takes it. Pure. */
import type { components } from '../../api/schema';
import type { Place, Target } from '../../preview/place';

export type Opening = Place & Target;
type OpenFile = components['schemas']['OpenFile'];

export function openingOf({ fileId, inside, page, slide, sheet, section, quote }: OpenFile): Opening {
  const named = { inside, page, slide, sheet, section, quote };
  return { fileId, ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null && value !== undefined)) };
}

/** From the payload of an action, which is untrusted. */
export function openingIn(payload: Record<string, unknown>): Opening | undefined {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const number = (value: unknown) => (typeof value === 'number' ? value : null);
  const fileId = text(payload['fileId']);
  if (fileId === null) return undefined;
  const { inside, page, slide, sheet, section, quote } = payload;
  return openingOf({ fileId, inside: text(inside), page: number(page), slide: number(slide), sheet: text(sheet), section: text(section), quote: text(quote) });
}

export function split({ fileId, inside, version, ...target }: Opening): [Place, Target] {
  return [{ fileId, inside, version }, target];
}
