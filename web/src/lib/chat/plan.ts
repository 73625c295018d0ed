/** How a plan is told: which step it is at, and whether its lines say everything. Pure. */
import type { Item, PlanItem, StepView } from '../run/reduce';

export type StepState = NonNullable<StepView['status']> | 'pending' | 'running' | 'undone';

const LONGEST_LINE = 160;

/** A step is at work when all before it are done; where the run waits for a person, that one is asked about it. */
export function stateOf({ steps }: PlanItem, index: number, { over, waits }: { over: boolean; waits: boolean }): StepState {
  const status = steps[index]?.status;
  if (status) return status;
  if (over) return 'undone';
  if (steps.findIndex((step) => step.status === null) !== index) return 'pending';
  return waits ? 'needs_user_choice' : 'running';
}

/** What its steps say fits on their lines. */
export function isBrief({ steps }: PlanItem): boolean {
  return steps.every(({ message }) => message.length <= LONGEST_LINE && !message.includes('\n'));
}

/** These words only repeat what the lines of the plan say already. */
export function isTold(text: string, items: readonly Item[]): boolean {
  const plan = items.findLast((item): item is PlanItem => item.kind === 'plan');
  if (!plan || !isBrief(plan)) return false;
  const said = plan.steps.map(({ message }) => message).filter(Boolean);
  return said.length > 0 && said.join('\n\n') === text.trim();
}
