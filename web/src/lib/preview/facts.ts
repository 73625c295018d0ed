/** What is known of a file, as lines to read. Names a file's maker chose stand as they are. */
import { formatNumber, formatTime, t } from '../i18n/index.svelte';
import type { Structure } from './types';

/** Names we know have a text; others are shown as the file says them. */
const NAMES: Record<string, () => string> = {
  title: () => t('preview.fact.title'),
  author: () => t('preview.fact.author'),
  subject: () => t('preview.fact.subject'),
  keywords: () => t('preview.fact.keywords'),
  created: () => t('preview.fact.created'),
  modified: () => t('preview.fact.modified'),
  producer: () => t('preview.fact.producer'),
  creator: () => t('preview.fact.creator'),
  language: () => t('preview.fact.language'),
  encoding: () => t('preview.fact.encoding'),
  format: () => t('preview.fact.format'),
  duration: () => t('preview.fact.duration'),
  pages: () => t('preview.fact.pages'),
  sections: () => t('preview.fact.sections'),
  images: () => t('preview.fact.images'),
  tables: () => t('preview.fact.tables'),
  sheets: () => t('preview.fact.sheets'),
  slides: () => t('preview.fact.slides'),
  rows: () => t('preview.fact.rows'),
  columns: () => t('preview.fact.columns'),
  characters: () => t('preview.fact.characters'),
  paragraphs: () => t('preview.fact.paragraphs'),
  pagesWithoutText: () => t('preview.fact.pagesWithoutText'),
  textBlocks: () => t('preview.fact.textBlocks'),
  objects: () => t('preview.fact.objects'),
  chapters: () => t('preview.fact.chapters'),
  media: () => t('preview.fact.media'),
  pagesWithTables: () => t('preview.fact.pagesWithTables'),
  charts: () => t('preview.fact.charts'),
  notes: () => t('preview.fact.notes'),
  comments: () => t('preview.fact.comments'),
  footnotes: () => t('preview.fact.footnotes'),
  items: () => t('preview.fact.items'),
  attachments: () => t('preview.fact.attachments'),
  width: () => t('preview.fact.width'),
  height: () => t('preview.fact.height'),
  size: () => t('preview.fact.dimensions'),
  frames: () => t('preview.fact.frames'),
  taken: () => t('preview.fact.taken'),
  camera: () => t('preview.fact.camera'),
  video: () => t('preview.fact.video'),
  audio: () => t('preview.fact.audio'),
  subtitles: () => t('preview.fact.subtitles'),
  delimiter: () => t('preview.fact.delimiter'),
};

export interface Fact {
  label: string;
  value: string;
}

export function countsOf(structure: Structure): Fact[] {
  return Object.entries(structure.counts).flatMap(([name, count]) => (count > (name === 'frames' ? 1 : 0) ? [{ label: nameOf(name), value: formatNumber(count) }] : []));
}

export function propertiesOf(structure: Structure): Fact[] {
  // How a camera was held is a number for programs.
  return Object.entries(structure.properties).flatMap(([name, value]) => (value.trim() === '' || name === 'orientation' ? [] : [{ label: nameOf(name), value: valueOf(value) }]));
}

function nameOf(name: string): string {
  return NAMES[name]?.() ?? name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/^./, (letter) => letter.toUpperCase());
}

function valueOf(written: string): string {
  const value = written.replace(/^(\d{4}):(\d\d):(\d\d) (?=\d\d:)/, '$1-$2-$3T').replace(/^(\d+) x (\d+)$/, '$1 × $2'); // as cameras write a time, and we a size
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value)) ? formatTime(value) : value;
}

/** "Pages 3, 5-9 are images; text recognition is not installed." and its kin. */
const WORDLESS = /^(Page|Slide)s? ([\d, -]+)( and more)? (?:is an image|are images|has no text|have no text)(?:; (text recognition is not installed)?.*)?\.$/;

/** What the server notes in English about a structure, where we know the sentence. */
export function noteText(note: string): string {
  if (/page numbers are estimated/.test(note)) return t('preview.estimated');
  const [, what, listed, more = '', unread] = WORDLESS.exec(note) ?? [];
  if (!listed) return note;
  const numbers = listed.replaceAll('-', '–') + (more && ' …');
  if (/no text\.$/.test(note)) return what === 'Page' ? t('preview.pagesEmpty', { numbers }) : t('preview.slidesEmpty', { numbers });
  if (unread) return what === 'Page' ? t('preview.pagesUnread', { numbers }) : t('preview.slidesUnread', { numbers });
  return what === 'Page' ? t('preview.pagesReadable', { numbers }) : t('preview.slidesReadable', { numbers });
}
