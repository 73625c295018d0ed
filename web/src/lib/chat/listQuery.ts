/** Which conversations the list shows, as it is chosen and as it is asked for. Pure. */
import type { ConversationQuery } from '../api/types';

export const STATUSES = ['current', 'archived', 'trash'] as const;

export interface Narrowing {
  status: (typeof STATUSES)[number];
  agentId: string;
  /** Days as a date field has them, both included; empty: all. */
  from: string;
  to: string;
}

export const ALL: Narrowing = { status: 'current', agentId: '', from: '', to: '' };

/** Days begin at midnight where the user is. */
export function queryOf({ status, agentId, from, to }: Narrowing): ConversationQuery {
  return {
    status,
    ...(agentId ? { agentId } : {}),
    ...(from ? { since: midnight(from, 0) } : {}),
    ...(to ? { until: midnight(to, 1) } : {}),
  };
}

function midnight(day: string, later: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return new Date(year, month - 1, date + later).toISOString();
}
