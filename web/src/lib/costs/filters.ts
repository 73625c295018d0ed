/** What of the costs is looked at: read from the address of the page, put back into it, and into questions to the server. Pure. */

export const PERIODS = ['today', 'week', 'month', 'quarter', 'calendar', 'ever', 'own'] as const;
export type Period = (typeof PERIODS)[number];
export const PURPOSES = ['round', 'summary', 'entities', 'embedding', 'vision', 'speech', 'rerank', 'evaluation', 'search', 'content'] as const;
export type Purpose = (typeof PURPOSES)[number];

export interface Filters {
  period: Period;
  /** Days of a period of one's own, both included; empty: open on that side. */
  from: string;
  to: string;
  model: string;
  purpose: Purpose | '';
  userId: string;
  workflowId: string;
  runId: string;
}

/** What the server is asked; `to` is not included. */
export interface Asked {
  from?: string;
  to?: string;
  model?: string;
  purpose?: Purpose;
  userId?: string;
  workflowId?: string;
  runId?: string;
}

const DAY_MS = 86_400_000;
const NARROWING = ['model', 'purpose', 'userId', 'workflowId', 'runId'] as const;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What makes no sense in an address is left out, so that an old or mistyped one still shows something. */
export function readFilters(query: string): Filters {
  const given = new URLSearchParams(query);
  const id = (name: string) => (ID.test(given.get(name) ?? '') ? (given.get(name) ?? '') : '');
  const filters = { from: dayOf(given.get('from')), to: dayOf(given.get('to')), model: given.get('model') ?? '', userId: id('userId'), workflowId: id('workflowId'), runId: id('runId') };
  return { ...filters, period: known(PERIODS, given.get('period')) ?? usual(filters), purpose: known(PURPOSES, given.get('purpose')) ?? '' };
}

export function costsPath(filters: Partial<Filters>): string {
  const shown = Object.entries(filters).filter(([name, value]) => value !== '' && !(name === 'period' && value === usual(filters)));
  const isOwn = filters.period === 'own';
  const query = new URLSearchParams(shown.filter(([name]) => isOwn || (name !== 'from' && name !== 'to'))).toString();
  return query === '' ? '/costs' : `/costs?${query}`;
}

export function askedOf(filters: Filters, now: number): Asked {
  const narrowing = Object.fromEntries(NARROWING.filter((name) => filters[name] !== '').map((name) => [name, filters[name]]));
  return { ...rangeOf(filters, now), ...narrowing };
}

/** Only the time; for what there is to choose from. */
export function rangeOf({ period, from, to }: Filters, now: number): Pick<Asked, 'from' | 'to'> {
  const back = { today: 1, week: 7, month: 30, quarter: 90 }[period as string];
  if (back !== undefined) return { from: midnight(now - (back - 1) * DAY_MS) };
  if (period === 'calendar') return { from: `${midnight(now).slice(0, 8)}01T00:00:00Z` };
  if (period === 'ever') return {};
  return { ...(from && { from: midnight(Date.parse(from)) }), ...(to && { to: midnight(Date.parse(to) + DAY_MS) }) };
}

export function isNarrowed(filters: Filters): boolean {
  return NARROWING.some((name) => filters[name] !== '');
}

/** One conversation or answer is looked at as a whole, however old it is. */
function usual({ workflowId, runId }: Partial<Filters>): Period {
  return workflowId || runId ? 'ever' : 'month';
}

/** The server counts days in UTC. */
function midnight(at: number): string {
  return `${new Date(at).toISOString().slice(0, 10)}T00:00:00Z`;
}

/** While a year is typed it passes through the first centuries. */
function dayOf(text: string | null): string {
  return text !== null && /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
}

function known<Value extends string>(values: readonly Value[], text: string | null): Value | undefined {
  return values.find((value) => value === text);
}
