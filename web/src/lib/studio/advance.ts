/** Takes a project to another phase; where blocks are left empty by that, it asks first. */
import { Problem } from '../api/problem';
import { t } from '../i18n/index.svelte';
import { attempt } from '../state/attempt';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { advanceProject } from './server';
import type { ProjectPlace } from './types';

/** `targetPhase`: its code; null: the next one, or the end. */
export function advance(place: ProjectPlace, targetPhase: string | null): Promise<boolean> {
  const go = (force: boolean) => advanceProject(place, targetPhase, force);
  return attempt(async () => {
    try {
      await go(false);
    } catch (cause) {
      const problem = Problem.of(cause);
      if (problem.code !== 'phaseIncomplete') throw cause;
      const run = async () => {
        await go(true);
        live.changed('project');
      };
      dialogs.confirm({ title: t('studio.incompleteTitle'), text: t('studio.incompleteText', { names: problem.list('names') }), action: t('studio.advanceAnyway'), calm: true, run });
    }
  }, 'project');
}
