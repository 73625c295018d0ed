/** What can be done with a creator's profile. */
import { t } from '../../i18n/index.svelte';
import { studioPath } from '../../router';
import { sayProblem } from '../../state/say';
import { moveToTrash, type Deletable } from '../../state/trash';
import type { MenuGroups } from '../../ui/Menu.svelte';
import { mayStudio } from '../may';
import { deleteProfile, restoreProfile } from '../server';
import type { Profile, Room } from '../types';

export const profilesPath = (room: Room, profileId?: string): string => studioPath(room.slug, 'profiles', profileId);

export function itemsOf(profile: Profile, room: Room): MenuGroups {
  return mayStudio('delete', profile) ? [[{ label: t('creatorProfile.delete'), icon: 'trash-2', danger: true, run: () => void moveToTrash(deletable(profile, room)).catch(sayProblem) }]] : [];
}

export function deletable({ id, name }: Profile, room: Room): Deletable {
  return { kind: 'project', name, path: profilesPath(room, id), listPath: profilesPath(room), remove: () => deleteProfile(room.id, id), restore: () => restoreProfile(room.id, id) };
}
