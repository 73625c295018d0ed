/** A text that is read part by part while scrolling: by its pages where it has some, else as far as the reader has come. */
import { Problem } from '../api/problem';
import type { Place } from './place';
import { askObjects, askPart } from './server';
import type { ContentObject, Structure } from './types';

export type Part = { status: 'loading' } | { status: 'failed'; problem: Problem } | { status: 'ready'; objects: ContentObject[] };

const CHUNK = 60;

export class Parts {
  /** How many there are, as far as is known. */
  count = $state(1);
  /** There is more in the file than can be shown. */
  cut = $state(false);
  parts = $state.raw<ReadonlyMap<number, Part>>(new Map());
  #cursors: (string | undefined)[] = [undefined];
  #asked = new AbortController();
  #pending = new Map<number, Promise<void>>();

  constructor(
    private readonly place: Place,
    private readonly pages: number,
    private readonly unit: 'page' | 'slide' = 'page',
  ) {
    this.count = Math.max(1, pages);
  }

  /** Whether every part has a number of its own. */
  get isPaged(): boolean {
    return this.pages > 0;
  }

  leave(): void {
    this.#asked.abort();
  }

  /** Fetch this one, unless it is there or on its way; done when it has come, or failed. */
  need(index: number): Promise<void> {
    const known = this.#pending.get(index);
    if (known && this.parts.get(index)?.status !== 'failed') return known;
    const pending = this.#fetch(index);
    this.#pending.set(index, pending);
    return pending;
  }

  /** Where an object is that passes, fetching on until it is found; undefined when there is none. */
  async seek(passes: (object: ContentObject) => boolean): Promise<number | undefined> {
    for (let index = 0; index < this.count; index += 1) {
      if (!this.isPaged) await this.need(index);
      const part = this.parts.get(index);
      if (part?.status === 'failed') return undefined;
      if (part?.status === 'ready' && part.objects.some(passes)) return index;
    }
    return undefined;
  }

  /** The first of so many parts from here on whose text passes, fetching on; undefined when there is none. */
  async seekText(passes: (text: string) => boolean, from: number, most: number): Promise<number | undefined> {
    for (let index = from; index < Math.min(this.count, from + most); index += 1) {
      await this.need(index);
      const part = this.parts.get(index);
      if (part?.status !== 'ready') return undefined;
      if (passes(part.objects.map(({ text }) => text).join('\n'))) return index;
    }
    return undefined;
  }

  async #fetch(index: number): Promise<void> {
    this.#set(index, { status: 'loading' });
    try {
      this.#set(index, { status: 'ready', objects: await this.#objects(index) });
    } catch (cause) {
      if (this.#asked.signal.aborted) return;
      const problem = Problem.of(cause);
      // A page may be empty; a server that has no such page means the same.
      this.#set(index, problem.code === 'notFound' && this.isPaged ? { status: 'ready', objects: [] } : { status: 'failed', problem });
    }
  }

  async #objects(index: number): Promise<ContentObject[]> {
    const { signal } = this.#asked;
    if (this.isPaged) return askPart(this.place, `${this.unit}:${index + 1}`, signal);
    const page = await askObjects(this.place, { cursor: this.#cursors[index], limit: CHUNK }, signal);
    this.cut ||= page.cut;
    if (page.nextCursor) {
      this.#cursors[index + 1] = page.nextCursor;
      this.count = Math.max(this.count, index + 2);
    }
    return page.items;
  }

  #set(index: number, part: Part): void {
    this.parts = new Map(this.parts).set(index, part);
  }
}

export interface Piece {
  key: number;
  kind: 'text' | 'image' | 'audio' | 'video' | 'other';
  text: string;
  location: string;
  label: string;
  /** Where it begins; not repeated within the same section. */
  section: string | undefined;
  facts: Record<string, unknown>;
}

const KINDS = { text: 'text', image: 'image', audiostream: 'audio', videostream: 'video', other: 'other' } as const;

/** Texts of one section that follow each other are one Markdown text, so that lists and numbers go on. */
export function pieces(objects: readonly ContentObject[]): Piece[] {
  const found: Piece[] = [];
  for (const { sequence, contentType, text, ref, metadata } of objects) {
    const kind = KINDS[contentType];
    const before = found.at(-1);
    const section = ref.sectionId ?? undefined;
    const isRole = metadata['role'] !== undefined && metadata['role'] !== before?.facts['role'];
    if (kind === 'text' && before?.kind === 'text' && before.section === section && !isRole) before.text += `\n\n${text}`;
    else found.push({ key: sequence, kind, text, location: ref.location, label: ref.label ?? '', section, facts: metadata });
  }
  return found;
}

export function estimatedPages(structure: Structure | null): number {
  return structure && structure.kind !== 'pdf' && structure.pages ? structure.pages : 0;
}
