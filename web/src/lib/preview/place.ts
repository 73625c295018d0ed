/** Which file, and where in it: what an address of the preview says, and back. Pure. */

/** A file of the workspace, or a member of one that is a container: `inside` is its path there. */
export interface Place {
  fileId: string;
  inside?: string | undefined;
  version?: number | undefined;
}

/** Where in a file, as people count. */
export interface Target {
  page?: number | undefined;
  slide?: number | undefined;
  sheet?: string | undefined;
  section?: string | undefined;
  /** What was searched for. */
  q?: string | undefined;
  /** Words that stand there, to be marked. */
  quote?: string | undefined;
  /** It is being edited. */
  edit?: true | undefined;
}

/** One step of the way from the outermost file to what is shown. */
export interface Crumb {
  name: string;
  /** What opens there; undefined for folders, which open their container. */
  inside: string | undefined;
}

const LONGEST_QUOTE = 1_000; // characters; an address is untrusted

export function readQuery(query: string): { file?: string; inside?: string; version?: number; target: Target } {
  const params = new URLSearchParams(query);
  const text = (name: string) => params.get(name) || undefined;
  const number = (name: string) => {
    const value = Number(params.get(name));
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const target: Target = { page: number('page'), slide: number('slide'), sheet: text('sheet'), section: text('section'), q: text('q'), quote: text('quote')?.slice(0, LONGEST_QUOTE), edit: params.get('edit') === 'true' || undefined };
  return { ...defined({ file: text('file'), inside: text('inside'), version: number('version') }), target: defined(target) };
}

export function writeQuery(place: Omit<Place, 'fileId'> & { file?: string }, target: Target): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ file: place.file, inside: place.inside, version: place.version, ...target })) {
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  // A path stays readable: slashes need no escape in a query.
  const query = params.toString().replaceAll('%2F', '/');
  return query ? `?${query}` : '';
}

export function filePath(slug: string, { fileId, inside, version }: Place, target: Target = {}): string {
  return `/i/${encodeURIComponent(slug)}/files/${encodeURIComponent(fileId)}${writeQuery({ inside, version }, target)}`;
}

/** `page:47`, `slide:3`, `sheet:Q4`, `section:s1.2`, and what may follow them: the first of them that we can go to. */
export function targetOf(part: string): Target {
  const sheet = /^sheet:(.+?)(?:\/rows:[^/]*(?:\/columns:[^/]*)?)?$/.exec(part)?.[1];
  if (sheet) return { sheet };
  const [, kind, value = ''] = /^(page|slide|section):([^/]+)/.exec(part) ?? [];
  if (kind === 'section') return { section: value };
  return kind === undefined ? {} : { [kind]: Number(value) };
}

export function sameTarget(one: Target, other: Target): boolean {
  return (['page', 'slide', 'sheet', 'section', 'q', 'quote', 'edit'] as const).every((name) => one[name] === other[name]);
}

/** `archive.zip › docs › report.pdf`. `opens` are the containers on the way: only they can be gone to. */
export function crumbs(name: string, inside: string | undefined, opens: (path: string) => boolean): Crumb[] {
  const found: Crumb[] = [{ name, inside: undefined }];
  let container: string | undefined;
  const parts = inside?.split('/') ?? [];
  for (const [index, part] of parts.entries()) {
    const path = parts.slice(0, index + 1).join('/');
    const isLast = index === parts.length - 1;
    if (isLast || opens(path)) container = path;
    found.push({ name: part, inside: isLast || opens(path) ? path : container });
  }
  return found;
}

const ARCHIVE = /\.(zip|jar|war|ear|tar|tgz|gz|bz2|tbz2?|xz|txz|eml|msg)$/i;

/** A guess by its name, for the way back only: what lies beyond it was opened already. */
export function looksLikeContainer(path: string): boolean {
  return ARCHIVE.test(path);
}

function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never;
}
