/** Which entries of the audit log are looked at: read from the address of the page, put back into it, and into questions to the
 * server. Days are those of the browser's time zone. Pure. */

export const KINDS = ['mandate', 'user', 'role', 'instance', 'member', 'token', 'session', 'conversation', 'memory', 'file', 'folder', 'agent', 'skill', 'model', 'budget', 'webSearch', 'evaluation', 'inspection'] as const;
export type Kind = (typeof KINDS)[number];

export interface Filters {
  /** Of a person, or SYSTEM. */
  userId: string;
  kind: Kind | '';
  /** Both days included; empty: open on that side. */
  from: string;
  to: string;
}

/** What the server is asked; `to` is not included. */
export interface Asked {
  userId?: string;
  system?: boolean;
  kind?: Kind;
  from?: string;
  to?: string;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** For what no person did, such as commands of the operator. */
export const SYSTEM = 'system';
const NAMES = ['userId', 'kind', 'from', 'to'] as const;

/** What makes no sense in an address is left out. */
export function readFilters(query: string): Filters {
  const given = new URLSearchParams(query);
  const userId = given.get('userId') ?? '';
  return { userId: ID.test(userId) || userId === SYSTEM ? userId : '', kind: KINDS.find((kind) => kind === given.get('kind')) ?? '', from: dayOf(given.get('from')), to: dayOf(given.get('to')) };
}

export function auditPath(filters: Filters): string {
  const query = new URLSearchParams(NAMES.filter((name) => filters[name] !== '').map((name) => [name, filters[name]])).toString();
  return query === '' ? '/settings/audit' : `/settings/audit?${query}`;
}

export function askedOf({ userId, kind, from, to }: Filters): Asked {
  return { ...(userId === SYSTEM ? { system: true } : userId && { userId }), ...(kind && { kind }), ...(from && { from: midnight(from, 0) }), ...(to && { to: midnight(to, 1) }) };
}

/** Where the same entries are as a file, with times of this zone. */
export function csvAddress(filters: Filters, q: string, order: string, timeZone: string): string {
  const { system, ...said } = askedOf(filters);
  return `/api/audit/csv?${new URLSearchParams({ ...said, ...(system && { system: 'true' }), ...(q && { q }), order, timeZone }).toString()}`;
}

export function isNarrowed(filters: Filters): boolean {
  return NAMES.some((name) => filters[name] !== '');
}

/** When a day begins here, `after` days later. */
function midnight(day: string, after: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after).toISOString();
}

/** While a year is typed it passes through the first centuries. */
function dayOf(text: string | null): string {
  return text !== null && /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
}
