/** What can be done with a persona. */
import { t } from '../../i18n/index.svelte';
import { studioPath } from '../../router';
import { sayProblem } from '../../state/say';
import { moveToTrash, type Deletable } from '../../state/trash';
import type { MenuGroups } from '../../ui/Menu.svelte';
import { placeOf } from '../acts';
import { show } from '../dialogs';
import { mayStudio } from '../may';
import { deletePersona, restorePersona } from '../server';
import type { Persona, Project, Room } from '../types';

export function itemsOf(persona: Persona, project: Project, room: Room): MenuGroups {
  if (!mayStudio('update', project)) return [];
  return [
    [{ label: t('persona.change'), icon: 'pencil', run: () => show({ what: 'persona', place: placeOf(project, room), language: project.language, persona }) }],
    [{ label: t('persona.delete'), icon: 'trash-2', danger: true, run: () => void moveToTrash(deletable(persona, project, room)).catch(sayProblem) }],
  ];
}

export function deletable({ id, name }: Persona, project: Project, room: Room): Deletable {
  const place = placeOf(project, room);
  const listPath = studioPath(room.slug, project.id, 'personas');
  return { kind: 'project', name, path: `${listPath}/${id}`, listPath, remove: () => deletePersona(place, id), restore: () => restorePersona(place, id) };
}
