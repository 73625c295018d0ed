/** What the preview asks the server, each question in one place. */
import { take } from '../api/client';
import { Problem } from '../api/problem';
import type { Place } from './place';
import type { Found, Member, Objects, PageText, Reading } from './types';

type Query = Record<string, string | number | boolean | undefined>;

/** Address of something of this file; of a member of it when `inside` says so. */
export function addressOf({ fileId, inside, version }: Place, path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ inside, version, ...query })) if (value !== undefined) params.set(name, String(value));
  const asked = params.toString();
  return `/api/files/${encodeURIComponent(fileId)}/${path}${asked ? `?${asked}` : ''}`;
}

export const contentAddress = (place: Place, inline = false) => addressOf(place, 'content', inline ? { inline } : {});
export const elementAddress = (place: Place, location: string) => addressOf(place, 'element', { location });
export const pageAddress = (place: Place, page: number, width: number) => addressOf(place, `pages/${page}/image`, { width });

export const askReading = (place: Place, signal?: AbortSignal) => get<Reading>(addressOf(place, 'reading'), signal);
export const askText = (place: Place, page: number, signal?: AbortSignal) => get<PageText>(addressOf(place, `pages/${page}/text`), signal);
/** In the whole file, or on one page of it, which is quick. */
export const askFind = (place: Place, q: string, signal?: AbortSignal, page?: number) => get<Found>(addressOf(place, 'find', { q, limit: 200, page }), signal);

export interface Asked {
  part?: string | undefined;
  cursor?: string | undefined;
  limit?: number;
}

export const askObjects = (place: Place, asked: Asked, signal?: AbortSignal) => get<Objects>(addressOf(place, 'objects', { ...asked }), signal);

/** One part of a file, to its end. */
export async function askPart(place: Place, part: string | undefined, signal?: AbortSignal): Promise<Objects['items']> {
  const items: Objects['items'] = [];
  let cursor: string | undefined;
  do {
    const page = await askObjects(place, { part, cursor, limit: 200 }, signal);
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** Everything in a container; `progress` hears what has come so far. */
export async function askMembers(place: Place, signal: AbortSignal, progress: (members: Member[]) => void): Promise<void> {
  const members: Member[] = [];
  let cursor: string | undefined;
  do {
    const page = await get<{ items: Member[]; nextCursor?: string | null }>(addressOf(place, 'members', { cursor, limit: 1000 }), signal);
    members.push(...page.items);
    cursor = page.nextCursor ?? undefined;
    progress([...members]);
  } while (cursor !== undefined);
}

export const askOcr = ({ fileId, inside }: Place, what: { page?: number; location?: string }) =>
  post<{ text: string }>(`/api/files/${encodeURIComponent(fileId)}/ocr`, { ...what, ...(inside === undefined ? {} : { inside }) });

export const takeMembersOut = ({ fileId, inside }: Place, paths: string[], folderId: string | undefined, signal: AbortSignal) =>
  post<{ items: { id: string }[] }>(
    `/api/files/${encodeURIComponent(fileId)}/members/extract`,
    { paths, ...(folderId === undefined ? {} : { folderId }), ...(inside === undefined ? {} : { inside }) },
    signal,
  );

/** Bytes of the file, from `start` up to `end`, which is not included; and whether there are more. */
export async function askBytes(place: Place, start: number, end: number, signal?: AbortSignal): Promise<{ bytes: ArrayBuffer; more: boolean }> {
  const how = { headers: { range: `bytes=${start}-${end - 1}` }, signal: signal ?? null };
  try {
    return await ask(contentAddress(place), how, async (response) => {
      const [, last, size] = /bytes \d+-(\d+)\/(\d+)/.exec(response.headers.get('content-range') ?? '') ?? [];
      return { bytes: await response.arrayBuffer(), more: last !== undefined && Number(last) + 1 < Number(size) };
    });
  } catch (cause) {
    if (Problem.of(cause).status === 416) return { bytes: new ArrayBuffer(0), more: false }; // there is nothing from there on
    throw cause;
  }
}

function get<T>(address: string, signal?: AbortSignal): Promise<T> {
  return ask(address, { signal: signal ?? null }, (response) => response.json() as Promise<T>);
}

function post<T>(address: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const how = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal: signal ?? null };
  return ask(address, how, (response) => response.json() as Promise<T>);
}

function ask<T>(address: string, how: RequestInit, read: (response: Response) => Promise<T>): Promise<T> {
  const answer = async () => {
    const response = await fetch(address, { credentials: 'same-origin', ...how });
    return response.ok ? { response, data: await read(response) } : { response, error: (await response.json().catch(() => null)) as unknown };
  };
  return take<T>(answer());
}
