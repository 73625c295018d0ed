/** What a call of a file tool does, in a few words: which text says it, and which place of which file it is about. Pure. */
import type { Key } from '../../i18n/index.svelte';
import { targetOf, type Target } from '../../preview/place';
import type { CallItem } from '../../run/reduce';
import { numberRanges } from './numberRanges';

export interface CallText {
  text: Key;
  params: Record<string, string | number>;
  /** Stands where the text says `{file}`. */
  file?: NamedFile | undefined;
}

/** `ref` is what the model called it by: an id, a name or a path. */
export interface NamedFile {
  ref: string;
  inside?: string | undefined;
  target: Target;
}

type Arguments = Record<string, unknown>;

export function callText({ tool, arguments: given, result }: Pick<CallItem, 'tool' | 'arguments' | 'result'>): CallText | undefined {
  if (tool === 'listFiles') return listed(given);
  if (tool === 'searchFiles') return said(given['query']) ? { text: 'call.search', params: { query: said(given['query'])! } } : undefined;
  if (tool === 'writeFile') return about('call.write', result?.files?.[0]?.fileId ?? said(given['name']));
  const ref = said(given['fileId']);
  const read = READERS[tool];
  return ref === undefined || read === undefined ? undefined : read(ref, given);
}

const READERS: Record<string, (ref: string, given: Arguments) => CallText | undefined> = {
  readFile: (ref, given) => part(ref, given, { pages: numbers(given['page']) }),
  readContentObjects: (ref, given) => {
    const filter = (given['filter'] ?? {}) as Arguments;
    const pages = numbers(filter['pageIndex']).map((index) => index + 1);
    return part(ref, given, { pages, slide: numbers(filter['slide'])[0], sheet: said(filter['sheet']), section: said(filter['section']) });
  },
  readSection: (ref, given) => part(ref, given, { section: said(given['sectionId']) }),
  extractContent: (ref, given) => {
    const page = numbers(given['page'])[0];
    const target = page === undefined ? targetOf(said(given['location']) ?? '') : { page };
    const text = given['mode'] === 'ocr' ? 'call.ocr' : given['mode'] === 'table' ? 'call.tables' : undefined;
    if (text) return about(text, ref, said(given['inside']), target);
    return part(ref, given, { pages: target.page === undefined ? [] : [target.page], slide: target.slide, sheet: target.sheet });
  },
  summarizeContent: (ref, given) => about('call.sumUp', ref, said(given['inside'])),
  analyzeContent: (ref, given) => about('call.analyse', ref, said(given['inside']), { page: numbers(given['page'])[0] }),
  browseContainer: (ref, given) => about('call.look', ref, said(given['inside'])),
  extractContainerItem: (ref, given) => about('call.look', ref, said(given['path'])),
  saveContainerItem: (ref, given) => about('call.takeOut', ref, said(given['path'])),
  moveFile: (ref, given) => about('call.move', ref, undefined, {}, { folder: said(given['folder']) ?? '/' }),
  tagFile: (ref, given) => {
    const tags = [...texts(given['add']).map((tag) => `+${tag}`), ...texts(given['remove']).map((tag) => `−${tag}`)];
    return about('call.tag', ref, undefined, {}, { tags: tags.join(' ') });
  },
};

function listed(given: Arguments): CallText {
  const query = [said(given['query']), said(given['pattern']), ...texts(given['tags']), said(given['type'])].filter((word) => word !== undefined).join(' ');
  const folder = said(given['folder']);
  if (query) return { text: 'call.find', params: { query } };
  return folder === undefined ? { text: 'call.list', params: {} } : { text: 'call.listFolder', params: { folder } };
}

function part(ref: string, given: Arguments, { pages = [], slide, sheet, section }: { pages?: number[]; slide?: number | undefined; sheet?: string | undefined; section?: string | undefined }): CallText | undefined {
  const inside = said(given['inside']);
  const [page] = pages;
  if (page !== undefined && pages.length > 1) return about('call.readPages', ref, inside, { page }, { pages: numberRanges(pages) });
  if (page !== undefined) return about('call.readPage', ref, inside, { page }, { page });
  if (slide !== undefined) return about('call.readSlide', ref, inside, { slide }, { slide });
  if (sheet !== undefined) return about('call.readSheet', ref, inside, { sheet }, { sheet });
  // Only an id leads there; a title may mean several.
  if (section !== undefined) return about('call.readSection', ref, inside, /^s[\d.]+$/.test(section) ? { section } : {}, { section });
  return about('call.read', ref, inside);
}

function about(text: Key, ref: string | undefined, inside?: string, target: Target = {}, params: CallText['params'] = {}): CallText | undefined {
  return ref === undefined ? undefined : { text, params, file: { ref, inside, target } };
}

function said(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).flatMap((one) => said(one) ?? []);
}

function numbers(value: unknown): number[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => Number.isInteger(one));
}
