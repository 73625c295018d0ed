/** The files a message points at: those put to it, and those that were read for it, with the places. What was found by searching
 * is none of them. */
import { t } from '../../i18n/index.svelte';
import type { Turn } from '../turns';
import { openingOf, type Opening } from './opening';

export interface Chip {
  name: string;
  detail?: string | undefined;
  opening?: Opening | undefined;
  /** It was named, and could not be read. */
  missing?: boolean;
}

const RECOGNISED = ' (recognised from a picture)';

type Material = NonNullable<Turn['materials']>[number];

export function chipsOf({ files = [], materials = [] }: Pick<Turn, 'files' | 'materials'>): Chip[] {
  const named = materials.filter(({ found }) => !found);
  const read = once(named.filter((one) => !isAside(one, named)).map(chipOf));
  const isRead = (fileId: string) => read.some(({ opening }) => opening?.fileId === fileId && !opening.inside);
  const only = files.filter(({ fileId }) => !isRead(fileId)).map(({ fileId, name }): Chip => ({ name, opening: { fileId } }));
  // The files somebody attached and nobody could read are named by both.
  return [...only, ...read.filter(({ name, missing }) => !missing || !files.some((file) => file.name === name))];
}

/** Two passages of one section, page or sheet open the same place. */
function once(chips: readonly Chip[]): Chip[] {
  const found = new Map(chips.map((chip) => [JSON.stringify([chip.name, chip.detail, chip.opening]), chip]));
  return [...found.values()];
}

/** A remark about something that has a chip anyway. */
function isAside({ kind, opens }: Material, all: readonly Material[]): boolean {
  return kind === 'note' && !!opens && all.some((other) => other.kind !== 'note' && other.opens?.fileId === opens.fileId && other.opens.inside === opens.inside);
}

export function chipOf({ kind, label, opens }: Pick<Material, 'kind' | 'label' | 'opens'>): Chip {
  if (!opens) return { name: nameIn(label), ...(kind === 'note' ? { missing: true, detail: t('attach.notRead') } : {}) };
  const { detail, path } = placeIn(label, opens);
  return { name: nameIn(path), detail, opening: openingOf(opens) };
}

/** The server says it in English, such as `pages 3-5, 9 of report.pdf`; what is said there is said again in the user's language. */
function placeIn(label: string, opens: NonNullable<Material['opens']>): { detail?: string; path: string } {
  if (!label.endsWith(RECOGNISED)) return standingIn(label, opens);
  const { detail, path } = standingIn(label.slice(0, -RECOGNISED.length), opens);
  return { detail: [...(detail ? [detail] : []), t('place.recognised')].join(', '), path };
}

function standingIn(label: string, { sheet, section }: NonNullable<Material['opens']>): { detail?: string; path: string } {
  const [, kind, many, list = '', path = ''] = /^(page|slide)(s?) ([\d, -]+) of (.+)$/.exec(label) ?? [];
  const numbers = list.replaceAll('-', '–');
  if (kind === 'page') return { detail: many ? t('place.pages', { pages: numbers }) : t('place.page', { page: numbers }), path };
  if (kind === 'slide') return { detail: many ? t('place.slides', { slides: numbers }) : t('place.slide', { slide: numbers }), path };
  if (sheet && label.startsWith(`sheet ${sheet} of `)) return { detail: t('place.sheet', { sheet }), path: label.slice(`sheet ${sheet} of `.length) };
  if (section && label.startsWith(`section ${section} of `)) return { path: label.slice(`section ${section} of `.length) }; // a number says nothing
  const title = section || label.startsWith('“') ? label.lastIndexOf('” of ') : -1; // of a section, or the subject of a mail
  return title < 0 ? { path: label } : { detail: label.slice(label.indexOf('“'), title + 1), path: label.slice(title + 5) };
}

/** Of a path the last; a folder keeps its slash. */
function nameIn(path: string): string {
  return /[^/]+\/?$/.exec(path)?.[0] ?? path;
}
