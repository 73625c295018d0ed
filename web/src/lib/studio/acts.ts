/** What can be done with a project from anywhere: changed, taken along as a file, thrown away, brought back. */
import { t } from '../i18n/index.svelte';
import { studioPath } from '../router';
import { sayProblem } from '../state/say';
import { moveToTrash, type Deletable } from '../state/trash';
import type { MenuGroups, MenuItem } from '../ui/Menu.svelte';
import { show } from './dialogs';
import { exportItems } from './exports';
import { mayStudio } from './may';
import { phasesItem } from './phases/openPhases';
import { deleteProject, restoreProject } from './server';
import type { ProjectFacts, ProjectPlace, Room } from './types';

export function itemsOf(project: ProjectFacts, room: Room): MenuGroups {
  const change: MenuItem[] = mayStudio('update', project) ? [{ label: t('studio.change'), icon: 'pencil', run: () => show({ what: 'project', room, project }) }] : [];
  const remove: MenuItem[] = mayStudio('delete', project) ? [{ label: t('studio.delete'), icon: 'trash-2', danger: true, run: () => void moveToTrash(deletable(project, room)).catch(sayProblem) }] : [];
  return [[...change, ...phasesItem(project, room)], exportItems(project, room), remove];
}

export function deletable(project: ProjectFacts, room: Room): Deletable {
  const [place, listPath] = [placeOf(project, room), studioPath(room.slug)];
  return { kind: 'project', name: project.name, path: studioPath(room.slug, project.id), listPath, remove: () => deleteProject(place), restore: () => restoreProject(place) };
}

export const placeOf = (project: Pick<ProjectFacts, 'id'>, room: Room): ProjectPlace => ({ instanceId: room.id, projectId: project.id });
