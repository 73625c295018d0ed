/** What of the files is looked at: read from the address of the page, put back into it, and into questions to the server. Pure. */
import { filesPath } from '../router';

export const TYPES = ['pdf', 'docx', 'xlsx', 'pptx', 'csv', 'text', 'image', 'audio', 'video', 'zip', 'eml'] as const;
export const STATUSES = ['active', 'processing', 'archived'] as const;
export const SORTS = ['name', 'type', 'size', 'updatedAt'] as const;
export const VISIBILITIES = ['MY', 'GROUP', 'ALL'] as const;
export type Sort = (typeof SORTS)[number];

export interface View {
  /** Nothing: at the top. */
  folder: string | null;
  q: string;
  tag: string;
  type: (typeof TYPES)[number] | '';
  status: (typeof STATUSES)[number] | '';
  visibility: (typeof VISIBILITIES)[number] | '';
  trash: boolean;
  sort: Sort;
  order: 'asc' | 'desc';
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LONGEST = 200;

/** What makes no sense in an address is left out, so that an old or mistyped one still shows something. */
export function readView(query: string): View {
  const given = new URLSearchParams(query);
  const text = (name: string) => (given.get(name) ?? '').trim().slice(0, LONGEST);
  const sort = known(SORTS, given.get('sort')) ?? 'name';
  return {
    folder: ID.test(text('folder')) ? text('folder') : null,
    q: text('q'),
    tag: text('tag').slice(0, 50),
    type: known(TYPES, given.get('type')) ?? '',
    status: known(STATUSES, given.get('status')) ?? '',
    visibility: known(VISIBILITIES, given.get('visibility')) ?? '',
    trash: given.has('trash'),
    sort,
    order: known(['asc', 'desc'] as const, given.get('order')) ?? usualOrder(sort),
  };
}

export function viewPath(slug: string, view: Partial<View>): string {
  const { folder, q, tag, type, status, visibility, trash, sort = 'name', order = usualOrder(sort) } = view;
  const shown = { folder, q, tag, type, status, visibility, trash: trash && '1', sort: sort !== 'name' && sort, order: order !== usualOrder(sort) && order };
  const query = new URLSearchParams(Object.entries(shown).flatMap(([name, value]) => (value ? [[name, value]] : []))).toString();
  return filesPath(slug) + (query ? `?${query}` : '');
}

export function filePath(slug: string, fileId: string): string {
  return `${filesPath(slug)}/${encodeURIComponent(fileId)}`;
}

/** Whether it looks for something: then it looks in the whole workspace, in all folders. */
export function isSearch({ q, tag, type, status, visibility }: View): boolean {
  return [q, tag, type, status, visibility].some((value) => value !== '');
}

/** Whether it looks for words and nothing else: then what files say is searched, too. */
export function isOnlyWords(view: View): boolean {
  return view.q !== '' && !view.trash && !isSearch({ ...view, q: '' });
}

export function askedOf(view: View) {
  const everywhere = view.trash || isSearch(view);
  return {
    sort: view.sort,
    order: view.order,
    ...(view.q ? { q: view.q } : {}),
    ...(view.tag ? { tags: [view.tag] } : {}),
    ...(view.type ? { type: view.type } : {}),
    ...(view.status ? { status: view.status } : {}),
    ...(view.visibility ? { visibility: view.visibility } : {}),
    ...(view.trash ? { deleted: true } : {}),
    ...(everywhere ? {} : { folderId: view.folder ?? 'root' }),
  };
}

/** Sort by this; again: the other way round. */
export function sorted(view: View, sort: Sort): View {
  return { ...view, sort, order: view.sort === sort ? (view.order === 'asc' ? 'desc' : 'asc') : usualOrder(sort) };
}

/** Names from A, the newest and the largest first. */
function usualOrder(sort: Sort): 'asc' | 'desc' {
  return sort === 'name' || sort === 'type' ? 'asc' : 'desc';
}

function known<Value extends string>(values: readonly Value[], text: string | null): Value | undefined {
  return values.find((value) => value === text);
}
