/** Trees that fold: the contents of a document, the members of an archive. What is folded is not in the list. Pure. */
import type { Member, SlideInfo, Structure } from './types';

export interface Node<Value> {
  key: string;
  text: string;
  value: Value;
  children: Node<Value>[];
}

export interface Row<Value> {
  key: string;
  text: string;
  value: Value;
  /** From 1. */
  level: number;
  folds: boolean;
  open: boolean;
  /** Its place among its siblings, from 1, and how many they are. */
  position: number;
  siblings: number;
}

/** What can be seen of a tree. `shows`: only what passes, and the way to it, all of it open. */
export function rowsOf<Value>(nodes: readonly Node<Value>[], open: ReadonlySet<string>, shows?: (node: Node<Value>) => boolean): Row<Value>[] {
  const rows: Row<Value>[] = [];
  const passes = shows ? passing(nodes, shows) : undefined;
  const visit = (list: readonly Node<Value>[], level: number): void => {
    const seen = passes ? list.filter((node) => passes.has(node)) : list;
    for (const [index, node] of seen.entries()) {
      const folds = node.children.length > 0;
      const isOpen = folds && (passes ? node.children.some((child) => passes.has(child)) : open.has(node.key));
      rows.push({ key: node.key, text: node.text, value: node.value, level, folds, open: isOpen, position: index + 1, siblings: seen.length });
      if (isOpen) visit(node.children, level + 1);
    }
  };
  visit(nodes, 1);
  return rows;
}

function passing<Value>(nodes: readonly Node<Value>[], shows: (node: Node<Value>) => boolean): Set<Node<Value>> {
  const found = new Set<Node<Value>>();
  const visit = (node: Node<Value>): boolean => {
    const below = node.children.map(visit).some(Boolean);
    if (!below && !shows(node)) return false;
    found.add(node);
    return true;
  };
  nodes.forEach(visit);
  return found;
}

export function allKeys<Value>(nodes: readonly Node<Value>[], found = new Set<string>()): Set<string> {
  for (const node of nodes) {
    if (node.children.length > 0) found.add(node.key);
    allKeys(node.children, found);
  }
  return found;
}

export interface Heading {
  /** As people count. */
  page?: number | undefined;
  slide?: number | undefined;
  section?: string | undefined;
  hidden?: boolean | undefined;
}

/** Levels as a tree, however they leap. */
export function nested(entries: readonly { text: string; level: number; value: Heading }[]): Node<Heading>[] {
  const roots: Node<Heading>[] = [];
  const path: { level: number; node: Node<Heading> }[] = [];
  for (const [index, { text, level, value }] of entries.entries()) {
    const node: Node<Heading> = { key: String(index), text, value, children: [] };
    while (path.length > 0 && path.at(-1)!.level >= level) path.pop();
    (path.at(-1)?.node.children ?? roots).push(node);
    path.push({ level, node });
  }
  return roots;
}

/** The contents of a document: its sections, else its own table of contents; of a presentation its slides. */
export function outlineOf(structure: Structure, slideName: (slide: SlideInfo) => string): Node<Heading>[] {
  const from = (index: number | null | undefined) => (index === null || index === undefined ? undefined : index + 1);
  if (structure.slides.length > 0) {
    return nested(structure.slides.map((slide) => ({ text: slideName(slide), level: 1, value: { slide: slide.slideIndex + 1, hidden: slide.hidden } })));
  }
  if (structure.sections.length > 0) {
    return nested(structure.sections.map(({ id, title, level, startPage }) => ({ text: title, level, value: { section: id, page: from(startPage) } })));
  }
  return nested(structure.toc.map(({ title, level, pageIndex }) => ({ text: title, level, value: { page: from(pageIndex) } })));
}

/** The row the reader is at: the last one that begins at or before it, of those that can be seen. */
export function currentRow(rows: readonly Row<Heading>[], at: Heading): number {
  if (at.section !== undefined) {
    const exact = rows.findIndex(({ value }) => value.section === at.section);
    if (exact >= 0) return exact;
    const above = rows.findLastIndex(({ value }) => value.section !== undefined && at.section!.startsWith(`${value.section}.`));
    if (above >= 0) return above;
  }
  if (at.slide !== undefined) return rows.findIndex(({ value }) => value.slide === at.slide);
  const { page } = at;
  if (page === undefined) return -1;
  return rows.findLastIndex(({ value }) => value.page !== undefined && value.page <= page);
}

export interface Entry {
  path: string;
  isFolder: boolean;
  /** Of a folder: all that is in it, as far as the archive says. */
  size: number | undefined;
  member: Member | undefined;
  files: number;
}

/** Folders first, then by name; folders an archive does not name are there all the same. */
export function memberTree(members: readonly Member[], compare: (one: string, other: string) => number): Node<Entry>[] {
  const roots: Node<Entry>[] = [];
  const folders = new Map<string, Node<Entry>>();
  const folder = (path: string): Node<Entry> => {
    const known = folders.get(path);
    if (known) return known;
    const node: Node<Entry> = { key: path, text: last(path), value: { path, isFolder: true, size: 0, member: undefined, files: 0 }, children: [] };
    folders.set(path, node);
    const above = parent(path);
    (above === '' ? roots : folder(above).children).push(node);
    return node;
  };
  for (const member of members) {
    const path = member.path.replace(/\/+$/, '');
    if (member.isFolder) {
      folder(path).value.member = member;
      continue;
    }
    const above = parent(path);
    const value: Entry = { path: member.path, isFolder: false, size: member.size ?? undefined, member, files: 1 };
    (above === '' ? roots : folder(above).children).push({ key: member.path, text: last(path), value, children: [] });
  }
  const settle = (nodes: Node<Entry>[]): void => {
    nodes.sort((one, other) => Number(other.value.isFolder) - Number(one.value.isFolder) || compare(one.text, other.text));
    for (const { value, children } of nodes) {
      settle(children);
      if (!value.isFolder) continue;
      value.size = children.reduce((sum, child) => sum + (child.value.size ?? 0), 0);
      value.files = children.reduce((sum, child) => sum + child.value.files, 0);
    }
  };
  settle(roots);
  return roots;
}

/** Everything that is a file, at or below these paths. */
export function filesUnder(nodes: readonly Node<Entry>[], chosen: ReadonlySet<string>, all = false): string[] {
  return nodes.flatMap((node) => {
    const taken = all || chosen.has(node.key);
    if (node.value.isFolder) return filesUnder(node.children, chosen, taken);
    return taken ? [node.value.path] : [];
  });
}

const parent = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const last = (path: string) => path.slice(path.lastIndexOf('/') + 1);
