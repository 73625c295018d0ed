/** The entry of a project's menu that opens its phases. */
import { t } from '../../i18n/index.svelte';
import type { MenuItem } from '../../ui/Menu.svelte';
import { show } from '../dialogs';
import { mayStudio } from '../may';
import type { ProjectFacts, Room } from '../types';

/** None for those who may not change the project. */
export function phasesItem(project: ProjectFacts, room: Room): MenuItem[] {
  const place = { instanceId: room.id, projectId: project.id };
  return mayStudio('update', project) ? [{ label: t('phases.change'), icon: 'layers', run: () => show({ what: 'phases', place, name: project.name }) }] : [];
}
