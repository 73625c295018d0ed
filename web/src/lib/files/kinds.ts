/** What kind of thing a file is, for its icon and for people. Pure. */
import type { StoredFile } from '../api/types';

export type Kind = 'pdf' | 'document' | 'sheet' | 'slides' | 'image' | 'audio' | 'video' | 'archive' | 'mail' | 'code' | 'text' | 'other';

type Named = Pick<StoredFile, 'name' | 'mediaType'>;

const ENDINGS: Record<Exclude<Kind, 'other'>, string> = {
  pdf: 'pdf',
  document: 'doc docx odt rtf epub pages',
  sheet: 'xls xlsx xlsm xlsb ods csv tsv numbers',
  slides: 'ppt pptx odp key',
  image: 'png jpg jpeg gif webp avif bmp tif tiff svg heic ico',
  audio: 'mp3 wav ogg oga flac m4a aac opus',
  video: 'mp4 webm mov mkv avi m4v',
  archive: 'zip tar gz tgz bz2 xz 7z rar',
  mail: 'eml msg mbox',
  code: 'js ts py java c h cpp cs go rs rb php sh sql html htm css scss json xml yaml yml toml ini svelte vue jsx tsx',
  text: 'txt md markdown log rst',
};
const BY_ENDING = new Map(Object.entries(ENDINGS).flatMap(([kind, endings]) => endings.split(' ').map((ending) => [ending, kind as Kind])));

export function kindOf({ name, mediaType }: Named): Kind {
  const [family = '', kind = ''] = mediaType.split('/');
  if (kind === 'pdf') return 'pdf';
  if (family === 'image' || family === 'audio' || family === 'video') return family;
  return BY_ENDING.get(endingOf(name)) ?? (family === 'text' ? 'text' : family === 'message' ? 'mail' : 'other');
}

/** "PDF", "DOCX"; of files without an ending the second half of their type. */
export function typeLabel({ name, mediaType }: Named): string {
  const ending = endingOf(name);
  const half = mediaType.split('/')[1] ?? '';
  return (ending || (half.length <= 8 && half !== 'octet-stream' ? half : '')).toUpperCase();
}

function endingOf(name: string): string {
  const at = name.lastIndexOf('.');
  const ending = at > 0 ? name.slice(at + 1).toLowerCase() : '';
  return /^[\p{L}\d]{1,8}$/u.test(ending) ? ending : '';
}

/** Where the ending begins: renaming selects what is before it. */
export function stemLength(name: string): number {
  return endingOf(name) === '' ? name.length : name.lastIndexOf('.');
}
