/** The files a message points at: those put to it, and those that were read for it, with the places. What was found by searching
 * is none of them. */
import { t } from '../../i18n/index.svelte';
import type { Turn } from '../turns';
import { openingOf, type Opening } from './opening';
import { placeWords } from './placeWords';

export interface Chip {
  name: string;
  detail?: string | undefined;
  opening?: Opening | undefined;
  /** Of a page of the web. */
  address?: string | undefined;
  /** It was named, and could not be read. */
  missing?: boolean;
}

type Material = NonNullable<Turn['materials']>[number];

export function chipsOf({ files = [], materials = [] }: Pick<Turn, 'files' | 'materials'>): Chip[] {
  const named = materials.filter(({ found }) => !found);
  const read = once(named.filter((one) => !isAside(one, named)).map(chipOf));
  const isRead = (fileId: string) => read.some(({ opening }) => opening?.fileId === fileId && !opening.inside);
  const only = files.filter(({ fileId }) => !isRead(fileId)).map(({ fileId, name }): Chip => ({ name, opening: { fileId } }));
  // Files that were attached and could not be read are named by both.
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

export function chipOf({ kind, place, opens }: Pick<Material, 'kind' | 'place' | 'opens'>): Chip {
  const { name, detail } = placeWords(place);
  if (!opens) return { name, ...(kind === 'note' ? { missing: true, detail: t('attach.notRead') } : {}) };
  return { name, detail, opening: openingOf(opens) };
}
