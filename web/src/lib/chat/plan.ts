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

/** What a step says fits on its line. */
export function isBrief(message: string): boolean {
  return message.length <= LONGEST_LINE && !message.includes('\n');
}

/** What is left to be said below the lines of a plan: what does not fit on them, and words that are not only theirs again. */
export function restOf(text: string, items: readonly Item[]): string {
  const plan = items.findLast((item): item is PlanItem => item.kind === 'plan');
  if (!plan) return text;
  const messages = plan.steps.map(({ message }) => message).filter(Boolean);
  const own = messages.reduce((left, message) => (left.startsWith(message) ? left.slice(message.length).trimStart() : left), text.trim());
  return [...messages.filter((message) => !isBrief(message)), ...(own === '' ? [] : [text])].join('\n\n');
}
