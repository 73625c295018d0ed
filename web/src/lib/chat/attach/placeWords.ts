/** A place in a document in the words of the reader's language: what the document is called, and what of it is meant. */
import type { components } from '../../api/schema';
import { t } from '../../i18n/index.svelte';
import { numberRanges } from './numberRanges';

export type DocumentPlace = components['schemas']['DocumentPlace'];

export interface PlaceWords {
  name: string;
  detail?: string | undefined;
}

export function placeWords(place: DocumentPlace): PlaceWords {
  const { piece, pieces } = place;
  const details = [part(place), piece && pieces ? t('place.piece', { piece, pieces }) : '', place.recognised ? t('place.recognised') : ''].filter(Boolean);
  const name = place.kind === 'named' ? (place.title ?? '') : (place.path ?? '');
  return { name: nameIn(name), ...(details.length > 0 ? { detail: details.join(', ') } : {}) };
}

/** The id of a section is left out: it says nothing to people. */
function part({ kind, numbers = [], sheet, title }: DocumentPlace): string {
  const quoted = title ? t('place.title', { title }) : '';
  switch (kind) {
    case 'page':
      return [quoted, numbers.length > 1 ? t('place.pages', { pages: numberRanges(numbers) }) : t('place.page', { page: numbers[0] ?? '' })].filter(Boolean).join(', ');
    case 'slide':
      return [quoted, numbers.length > 1 ? t('place.slides', { slides: numberRanges(numbers) }) : t('place.slide', { slide: numbers[0] ?? '' })].filter(Boolean).join(', ');
    case 'sheet':
      return t('place.sheet', { sheet: sheet ?? '' });
    case 'section':
    case 'title':
      return quoted;
    default:
      return '';
  }
}

/** Of a path the last; a folder keeps its slash. */
function nameIn(path: string): string {
  return /[^/]+\/?$/.exec(path)?.[0] ?? path;
}
