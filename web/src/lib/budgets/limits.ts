/** The four budgets as the pages name them, and what counts of what was said. Pure. */
import type { BudgetScope, LimitTable } from '../api/types';

/** From the smallest to the largest. */
export const SCOPES: readonly BudgetScope[] = ['run', 'workflow', 'user', 'mandate'];
/** The organisation as a whole has no role. */
export const ROLE_SCOPES: readonly BudgetScope[] = ['run', 'workflow', 'user'];

type Limits = LimitTable['mandate'];

/** An amount, null for "no limit", undefined where nothing was said. */
export function limitIn(limits: Limits, scope: BudgetScope): string | null | undefined {
  return limits.find((one) => one.scope === scope)?.limit;
}

export function shippedLimit(table: LimitTable, scope: BudgetScope): string | null {
  return limitIn(table.shipped, scope) ?? null;
}

/** What counts for everybody whose roles say nothing else. */
export function usualLimit(table: LimitTable, scope: BudgetScope): string | null {
  const said = limitIn(table.mandate, scope);
  return said === undefined ? shippedLimit(table, scope) : said;
}
