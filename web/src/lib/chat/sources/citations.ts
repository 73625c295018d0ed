/** Which sources an answer cites, numbered as they occur; and what was found for it and is not among them. */
import { t } from '../../i18n/index.svelte';
import type { Cite, Cites } from '../../markdown/cites';
import { marksIn, spelledOut } from '../../markdown/marks';
import { filePath } from '../../preview/place';
import { chipOf, type Chip } from '../attach/chips';
import { split } from '../attach/opening';
import type { Turn } from '../turns';
import type { Find, Source } from './meaning';

export interface Citation extends Chip {
  number: number;
  marks: string[];
}

const MOST_MARKS = 500;

/** Two marks of the same words at the same place are one source. */
export function citationsOf(text: string, find: Find): Citation[] {
  const known = new Map<string, Citation>();
  for (const [mark, source] of meant(text, find)) {
    const key = JSON.stringify([source.place, source.opens, source.address]);
    const before = known.get(key);
    if (before) before.marks.push(mark);
    else known.set(key, { ...placed(source), number: known.size + 1, marks: [mark] });
  }
  return [...known.values()];
}

/** As the text of an answer shows them, by their marks. */
export function citesOf(citations: readonly Citation[], slug: string): Cites {
  const shown = citations.flatMap((citation) => {
    const place = wordsOf(citation);
    const href = citation.opening ? filePath(slug, ...split(citation.opening)) : (citation.address ?? '');
    const cite: Cite = { number: citation.number, name: t('source.name', { number: citation.number, place }), title: place, href };
    return citation.marks.map((mark) => [mark, cite] as const);
  });
  return Object.fromEntries(shown);
}

/** Passages that were found and not cited, each place once. */
export function uncited(materials: Turn['materials'], citations: readonly Citation[]): Chip[] {
  const cited = new Set(citations.flatMap(({ marks }) => marks));
  const found = (materials ?? []).flatMap(({ found, mark, place, opens }) => (found && opens && !cited.has(mark ?? '') ? [placed({ place, opens })] : []));
  const places = found.map((chip) => `${chip.opening?.fileId} ${wordsOf(chip)}`);
  return found.filter((_, index) => places.indexOf(places[index]!) === index);
}

/** `report.pdf, page 3`. */
export function wordsOf({ name, detail }: Pick<Chip, 'name' | 'detail'>): string {
  return detail ? t('source.place', { name, place: detail }) : name;
}

/** As text for other programs, and for those who listen: `(report.pdf, page 3)` where a mark stands. */
export function inWords(text: string, find: Find): string {
  const known = meant(text, find);
  return spelledOut(text, (marks) => {
    const places = marks.flatMap((mark) => {
      const source = known.get(mark);
      return source ? [wordsOf(placed(source))] : [];
    });
    return places.length > 0 ? `(${[...new Set(places)].join('; ')})` : '';
  });
}

/** Each looked up once, and limited in number: an answer may be nothing but marks. */
function meant(text: string, find: Find): Map<string, Source> {
  const found = marksIn(text).slice(0, MOST_MARKS).map((mark) => [mark, find(mark)] as const);
  return new Map(found.filter((one): one is readonly [string, Source] => one[1] !== undefined));
}

function placed({ place, opens, address }: Pick<Source, 'place' | 'opens' | 'address'>): Chip {
  const page = address ? hostOf(address) : undefined;
  return { ...chipOf({ kind: 'text', place, opens: opens ?? null }), ...(page && { detail: page, address: address ?? undefined }) };
}

/** `example.org`; nothing for what is no address of a web page, whatever the server says. */
function hostOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.hostname.replace(/^www\./, '') : undefined;
}
