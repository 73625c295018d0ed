/** Whether an inspection goes on and concerns this person. Pure. */
import type { Inspection } from '../api/types';

export function isRunning({ inspectorId, subjectId, endsAt }: Pick<Inspection, 'inspectorId' | 'subjectId' | 'endsAt'>, userId: string | undefined, now: number): boolean {
  return (inspectorId === userId || subjectId === userId) && Date.parse(endsAt) > now;
}
