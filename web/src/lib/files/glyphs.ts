/** Pictures of files, on a 24 × 24 grid, from Lucide (ISC licence). Apart from `ui/icons.ts`, which is part of the first page. */
import type { Kind } from './kinds';

const PAGE = 'M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7ZM14 2v4a2 2 0 0 0 2 2h4';

export const GLYPHS: Record<Kind | 'folder' | 'filing', string> = {
  folder: 'M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.69-.9L9.6 3.9A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z',
  filing: 'M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.69-.9L9.6 3.9A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2ZM12 10v6M15 13l-3 3-3-3',
  pdf: `${PAGE}M10 9H8M16 13H8M16 17H8`,
  document: `${PAGE}M10 9H8M16 13H8M16 17H8`,
  sheet: `${PAGE}M8 13h2M14 13h2M8 17h2M14 17h2`,
  slides: 'M2 3h20M21 3v11a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V3M7 21l5-5 5 5',
  image: 'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2zM7 9a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M21 15l-3.086-3.086a2 2 0 0 0-2.828 0L6 21',
  audio: 'M9 18V5l12-2v13M3 18a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M15 16a3 3 0 1 0 6 0a3 3 0 1 0 -6 0',
  video: 'M16 13l5.223 3.482a.5.5 0 0 0 .777-.416V7.87a.5.5 0 0 0-.752-.432L16 10.5M4 6h10a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-8a2 2 0 0 1 2 -2z',
  archive: `${PAGE}M10 12v-1M10 18v-2M10 7V6`,
  mail: 'M22 7l-8.991 5.727a2 2 0 0 1-2.009 0L2 7M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2z',
  code: `${PAGE}M10 12.5 8 15l2 2.5M14 12.5l2 2.5-2 2.5`,
  text: `${PAGE}M16 13H8M16 17H8M10 9H8`,
  other: PAGE,
};

/** Their colours, see base.css. */
export const HUES: Record<keyof typeof GLYPHS, string> = {
  folder: 'hue0',
  filing: 'hue0',
  pdf: 'hue3',
  document: 'hue4',
  sheet: 'hue1',
  slides: 'hue2',
  image: 'hue5',
  audio: 'hue2',
  video: 'hue5',
  archive: 'hue2',
  mail: 'hue4',
  code: 'hue1',
  text: 'hue4',
  other: 'hue4',
};
