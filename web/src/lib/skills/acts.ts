/** What can be done with a skill from anywhere: copied, taken along as a file, shared, thrown away. Problems are said. */
import { Problem } from '../api/problem';
import type { InstanceRef, Visibility } from '../api/types';
import { saveFile } from '../files/saveFile';
import { t } from '../i18n/index.svelte';
import { skillsPath } from '../router';
import { shareWithUndo } from '../sharing/shareWithUndo';
import { live } from '../state/live.svelte';
import { page } from '../state/route.svelte';
import { sayProblem } from '../state/say';
import { session } from '../state/session.svelte';
import { moveToTrash, type Deletable } from '../state/trash';
import type { MenuGroups, MenuItem } from '../ui/Menu.svelte';
import { contentOf, draftOf } from './draft';
import { maySharing, maySkill } from './may';
import { LONGEST_NAME } from './name';
import { askSkill, createSkill, deleteSkill, exportSkill, restoreSkill, shareSkill, type Place } from './server';
import type { SkillRef } from './types';

type Room = Pick<InstanceRef, 'id' | 'slug'>;
const MOST_COPIES = 50;

/** Everything but opening it. */
export function itemsOf(skill: SkillRef, room: Room): MenuGroups {
  const copy: MenuItem[] = session.may('makeSkills') ? [{ label: t('agents.duplicate'), icon: 'copy', run: () => void duplicate(skill, room).catch(sayProblem) }] : [];
  const sharing = maySharing(skill).map((whom): MenuItem => ({ label: t(`visibility.${whom}`), checked: skill.visibility === whom, run: () => share(skill, room, whom) }));
  return [
    [...copy, { label: t('agents.export'), icon: 'arrow-down', run: () => void download(skill, room).catch(sayProblem) }],
    sharing,
    maySkill('delete', skill) ? [{ label: t('skills.delete'), icon: 'trash-2', danger: true, run: () => void moveToTrash(deletable(skill, room)).catch(sayProblem) }] : [],
  ];
}

export function share(skill: SkillRef, room: Room, whom: Visibility): void {
  if (whom === skill.visibility) return;
  const text = t('skills.shared', { name: skill.name, whom: t(`visibility.${whom}`) });
  void shareWithUndo({ kind: 'skill', thing: skill, whom, send: (visibility) => shareSkill(placeOf(skill, room), visibility), text }).catch(sayProblem);
}

export function deletable(skill: SkillRef, room: Room): Deletable {
  const [place, listPath] = [placeOf(skill, room), skillsPath(room.slug)];
  return { kind: 'skill', name: `/${skill.name}`, path: skillsPath(room.slug, skill.id), listPath, remove: () => deleteSkill(place), restore: () => restoreSkill(place) };
}

async function duplicate(skill: SkillRef, room: Room): Promise<void> {
  const content = contentOf(draftOf(await askSkill(placeOf(skill, room))));
  for (let number = 2; ; number += 1) {
    const name = `${content.name.slice(0, LONGEST_NAME - 4).replace(/-$/, '')}-${number}`;
    try {
      const made = await createSkill(room.id, { ...content, name });
      live.changed('skill');
      return page.go(skillsPath(room.slug, made.id));
    } catch (cause) {
      if (Problem.of(cause).code !== 'skillExists' || number > MOST_COPIES) throw cause;
    }
  }
}

async function download(skill: SkillRef, room: Room): Promise<void> {
  saveFile(await exportSkill(placeOf(skill, room)), `${skill.name}.zip`);
}

const placeOf = (skill: SkillRef, room: Room): Place => ({ instanceId: room.id, skillId: skill.id });
