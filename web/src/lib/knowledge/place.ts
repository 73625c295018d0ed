/** Where a passage stands: in words, and as a place the preview opens. */
import { t } from '../i18n/index.svelte';
import { filePath, targetOf, type Target } from '../preview/place';
import type { Passage } from './types';

/** "Page 47", "Sheet Q4", "§ Notice periods"; nothing for a file of one piece. */
export function passageWords({ ref }: Pick<Passage, 'ref'>): string {
  return [standing(ref), ref.recognised ? t('place.recognised') : ''].filter(Boolean).join(' · ');
}

function standing(ref: Passage['ref']): string {
  const { pageIndex, slideIndex, sheetName, label } = ref;
  const section = label ? t('knowledge.section', { name: label }) : '';
  if (typeof pageIndex === 'number') return [t('preview.page', { page: pageIndex + 1 }), section].filter(Boolean).join(' · ');
  if (typeof slideIndex === 'number') return [t('preview.slide', { slide: slideIndex + 1 }), section].filter(Boolean).join(' · ');
  return sheetName ? t('knowledge.sheet', { name: sheetName }) : section;
}

export function targetOfPassage({ ref, quote }: Pick<Passage, 'ref' | 'quote'>): Target {
  const { pageIndex, slideIndex, sheetName, sectionId } = ref;
  const known: Target = {
    ...targetOf(ref.location),
    ...(typeof pageIndex === 'number' ? { page: pageIndex + 1 } : {}),
    ...(typeof slideIndex === 'number' ? { slide: slideIndex + 1 } : {}),
    ...(sheetName ? { sheet: sheetName } : {}),
    ...(sectionId ? { section: sectionId } : {}),
  };
  return ref.recognised ? known : { ...known, quote }; // a picture has no words to be marked
}

/** Its address: a link, so that it can be opened beside this page, too. */
export function passagePath(slug: string, passage: Passage): string {
  return filePath(slug, { fileId: passage.fileId, inside: passage.inside || undefined }, targetOfPassage(passage));
}
