/** The entry of a project's menu that opens its phases. */
import { t } from '../../i18n/index.svelte';
import { dialogs } from '../../state/dialogs.svelte';
import type { MenuItem } from '../../ui/Menu.svelte';
import { mayStudio } from '../may';
import type { Project, Room } from '../types';

/** None for those who may not change the project. */
export function phasesItem(project: Project, room: Room): MenuItem[] {
  return mayStudio('update', project) ? [{ label: t('phases.change'), icon: 'layers', run: () => dialogs.show({ kind: 'phases', room, project }) }] : [];
}
