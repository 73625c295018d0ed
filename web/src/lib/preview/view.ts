/** How a file is shown, by what it is. Pure. */
import type { Reading } from './types';

export type View = 'pages' | 'flow' | 'code' | 'grid' | 'slides' | 'image' | 'audio' | 'video' | 'mail' | 'tree' | 'none';

/** Kinds the browser may show as they are; the server hands out no others for that. */
const SHOWN_IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;
const FLOWING = /^(text\/(plain|markdown|html|x-rst|rtf)|application\/(rtf|xhtml\+xml|epub\+zip))$/;
const CODE = /^(text\/|application\/(json|geo\+json|x-ndjson|jsonl|x-jsonlines|xml|yaml|toml|x-subrip|sql|x-sh)|image\/svg\+xml)/;

export function viewOf(reading: Pick<Reading, 'mediaType' | 'isContainer' | 'isText' | 'structure' | 'problem'>): View {
  const { mediaType, structure } = reading;
  if (reading.problem || structure?.kind === 'empty') return 'none';
  if (structure?.kind === 'mail') return 'mail';
  if (reading.isContainer) return 'tree';
  if (structure?.kind === 'pdf') return 'pages';
  if (structure?.kind === 'csv' || (structure && structure.sheets.length > 0)) return 'grid';
  if (structure && structure.slides.length > 0) return 'slides';
  if (mediaType.startsWith('audio/')) return 'audio';
  if (mediaType.startsWith('video/')) return 'video';
  if (mediaType.startsWith('image/') && mediaType !== 'image/svg+xml') return 'image';
  if (FLOWING.test(mediaType)) return 'flow';
  if (CODE.test(mediaType)) return 'code';
  return structure ? 'flow' : reading.isText ? 'code' : 'none';
}

export function isShownAsItIs(mediaType: string): boolean {
  return SHOWN_IMAGES.test(mediaType);
}

const EDITED = /^(text\/|image\/svg\+xml$|application\/(x-empty|json|x-ndjson|xml|yaml|toml|x-subrip)$)/;

/** Whether files of this kind are texts that are edited here; the server decides. */
export function isEdited(mediaType: string): boolean {
  return EDITED.test(mediaType);
}

/** Whether there is text in it that the server can search. */
export function isSearchable(view: View): boolean {
  return view === 'pages' || view === 'flow' || view === 'grid' || view === 'slides' || view === 'mail' || view === 'code';
}
