/** What the server says of a file's content, by the names the preview uses, and no more of it than the preview needs. */
import type { components } from '../api/schema';

export interface Section {
  id: string;
  title: string;
  level: number;
  startPage?: number | null;
  endPage?: number | null;
}

export interface TocEntry {
  title: string;
  level: number;
  pageIndex?: number | null;
}

export interface PageInfo {
  pageIndex: number;
  headings: string[];
  hasImages: boolean;
  textLength: number;
  hasTable: boolean;
}

export interface SheetInfo {
  name: string;
  rows: number;
  columns: number;
  hidden: boolean;
}

export interface SlideInfo {
  slideIndex: number;
  title: string;
  textLength: number;
  hasImages: boolean;
  hidden: boolean;
}

export interface Structure {
  kind: string;
  pages?: number | null;
  toc: TocEntry[];
  sections: Section[];
  pageMap: PageInfo[];
  sheets: SheetInfo[];
  slides: SlideInfo[];
  counts: Record<string, number>;
  properties: Record<string, string>;
  notes: string[];
}

export interface Reading {
  fileId: string;
  version: number;
  inside?: string | null;
  name: string;
  mediaType: string;
  size: number | null;
  isContainer: boolean;
  isText: boolean;
  lie?: string | null;
  structure?: Structure | null;
  problem?: { code: string; message: string } | null;
}

export interface ContentObject {
  sequence: number;
  contentType: 'text' | 'image' | 'videostream' | 'audiostream' | 'other';
  text: string;
  ref: {
    location: string;
    label?: string | null;
    pageIndex?: number | null;
    sectionId?: string | null;
    sheetName?: string | null;
    slideIndex?: number | null;
  };
  metadata: Record<string, unknown>;
}

export interface Objects {
  items: ContentObject[];
  nextCursor?: string | null;
  /** The file has more than the server keeps of it. */
  cut: boolean;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type PageLine = Box & { text: string };

/** Leads out, or to a page of the same document. */
export type PageLink = Box & { address?: string | null; pageIndex?: number | null };

export interface PageText {
  width: number;
  height: number;
  lines: PageLine[];
  links: PageLink[];
  /** Of a page without any lines: what was recognised in its picture. */
  recognised: string | null;
}

export interface Hit {
  part: string;
  location: string;
  before: string;
  match: string;
  after: string;
  boxes: Box[];
}

export interface Found {
  hits: Hit[];
  more: boolean;
}

export interface Member {
  path: string;
  size?: number | null;
  isFolder: boolean;
  modified?: string | null;
  mediaType?: string | null;
  encrypted: boolean;
  index: number;
  opens: boolean;
}

type Shapes = components['schemas'];
/** What has a default is always sent. */
type Sent<T> = T extends (infer Item)[] ? Sent<Item>[] : T extends object ? { [K in keyof T]-?: Sent<Exclude<T[K], undefined>> } : T;
type Fits<Ours, Theirs extends Ours> = Theirs;

/** Does not compile when the server's shapes no longer fit ours. */
export type Checked = [
  Fits<Reading, Sent<Shapes['Reading']>>,
  Fits<Objects, Sent<Shapes['ObjectsView']>>,
  Fits<PageText, Sent<Shapes['PageText']>>,
  Fits<Found, Sent<Shapes['HitsView']>>,
  Fits<Member, Sent<Shapes['MemberInfo']>>,
];
