/** What a call of a tool does, in a few words: the tool's own text, and which place of which file it is about. Pure. */
import type { ToolText } from '../../api/types';
import { targetOf, type Target } from '../../preview/place';
import type { CallItem } from '../../run/reduce';
import { numberRanges } from './numberRanges';

export interface CallText extends About {
  text: string;
}

interface About {
  params: Record<string, string | number>;
  /** Stands where the text says `{file}`. */
  file?: NamedFile | undefined;
}

/** `variant` is the key of the text among the tool's `activities`; without one it is its `activity`. */
interface Described extends About {
  variant?: string;
}

/** `ref` is what the model called it by: an id, a name or a path. */
export interface NamedFile {
  ref: string;
  inside?: string | undefined;
  target: Target;
}

type Arguments = Record<string, unknown>;
type Call = Pick<CallItem, 'tool' | 'arguments' | 'result'>;

/** Undefined when the tool has no text for it, or the call makes no sense: then its name has to do. */
export function callText(call: Call, texts: ToolText | undefined): CallText | undefined {
  if (!texts?.activity) return undefined;
  const described = describe(call, texts.activity);
  if (described === undefined) return undefined;
  const { variant, ...about } = described;
  return { text: (variant && texts.activities?.[variant]) || texts.activity, ...about };
}

function describe({ tool, arguments: given, result }: Call, activity: string): Described | undefined {
  if (tool === 'listFiles') return listed(given);
  if (tool === 'writeFile') return about(result?.files?.[0]?.fileId ?? textIn(given['name']));
  const read = FILE_TOOLS[tool];
  if (read === undefined) return filled(activity, given);
  const ref = textIn(given['fileId']);
  return ref === undefined ? undefined : read(ref, given);
}

/** The tools of files, whose texts depend on the place in the file that a call is about. */
const FILE_TOOLS: Record<string, (ref: string, given: Arguments) => Described | undefined> = {
  readFile: (ref, given) => part(ref, given, { pages: numbers(given['page']) }),
  readContentObjects: (ref, given) => {
    const filter = (given['filter'] ?? {}) as Arguments;
    const pages = numbers(filter['pageIndex']).map((index) => index + 1);
    return part(ref, given, { pages, slide: numbers(filter['slide'])[0], sheet: textIn(filter['sheet']), section: textIn(filter['section']) });
  },
  readSection: (ref, given) => part(ref, given, { section: textIn(given['sectionId']) }),
  extractContent: (ref, given) => {
    const page = numbers(given['page'])[0];
    const target = page === undefined ? targetOf(textIn(given['location']) ?? '') : { page };
    const variant = given['mode'] === 'ocr' ? 'ocr' : given['mode'] === 'table' ? 'tables' : undefined;
    if (variant) return about(ref, { variant, inside: textIn(given['inside']), target });
    return part(ref, given, { pages: target.page === undefined ? [] : [target.page], slide: target.slide, sheet: target.sheet });
  },
  summarizeContent: (ref, given) => about(ref, { inside: textIn(given['inside']) }),
  analyzeContent: (ref, given) => about(ref, { inside: textIn(given['inside']), target: { page: numbers(given['page'])[0] } }),
  browseContainer: (ref, given) => about(ref, { inside: textIn(given['inside']) }),
  extractContainerItem: (ref, given) => about(ref, { inside: textIn(given['path']) }),
  saveContainerItem: (ref, given) => about(ref, { inside: textIn(given['path']) }),
  moveFile: (ref, given) => about(ref, { params: { folder: textIn(given['folder']) ?? '/' } }),
  tagFile: (ref, given) => {
    const tags = [...texts(given['add']).map((tag) => `+${tag}`), ...texts(given['remove']).map((tag) => `−${tag}`)];
    return about(ref, { params: { tags: tags.join(' ') } });
  },
};

/** Any other tool: its text says which arguments it wants, and `{file}` is the one that `fileId` means. */
function filled(activity: string, given: Arguments): Described | undefined {
  const params: Described['params'] = {};
  for (const [, name = ''] of activity.matchAll(/\{(\w+)\}/g)) {
    if (name === 'file') continue;
    const value = typeof given[name] === 'number' ? given[name] : textIn(given[name]);
    if (value === undefined) return undefined;
    params[name] = value;
  }
  return activity.includes('{file}') ? about(textIn(given['fileId']), { params }) : { params };
}

function listed(given: Arguments): Described {
  const query = [textIn(given['query']), textIn(given['pattern']), ...texts(given['tags']), textIn(given['type'])].filter((word) => word !== undefined).join(' ');
  const folder = textIn(given['folder']);
  if (query) return { variant: 'query', params: { query } };
  return folder === undefined ? { params: {} } : { variant: 'folder', params: { folder } };
}

function part(ref: string, given: Arguments, { pages = [], slide, sheet, section }: { pages?: number[]; slide?: number | undefined; sheet?: string | undefined; section?: string | undefined }): Described | undefined {
  const inside = textIn(given['inside']);
  const [page] = pages;
  if (page !== undefined && pages.length > 1) return about(ref, { variant: 'pages', inside, target: { page }, params: { pages: numberRanges(pages) } });
  if (page !== undefined) return about(ref, { variant: 'page', inside, target: { page }, params: { page } });
  if (slide !== undefined) return about(ref, { variant: 'slide', inside, target: { slide }, params: { slide } });
  if (sheet !== undefined) return about(ref, { variant: 'sheet', inside, target: { sheet }, params: { sheet } });
  // Only an id leads there; a title may mean several.
  if (section !== undefined) return about(ref, { variant: 'section', inside, target: /^s[\d.]+$/.test(section) ? { section } : {}, params: { section } });
  return about(ref, { inside });
}

interface Details {
  variant?: string;
  inside?: string | undefined;
  target?: Target;
  params?: Described['params'];
}

function about(ref: string | undefined, { variant, inside, target = {}, params = {} }: Details = {}): Described | undefined {
  return ref === undefined ? undefined : { ...(variant && { variant }), params, file: { ref, inside, target } };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).flatMap((one) => textIn(one) ?? []);
}

function numbers(value: unknown): number[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => Number.isInteger(one));
}
