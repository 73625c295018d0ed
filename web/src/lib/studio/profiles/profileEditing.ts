/** One creator's profile being written. */
import { DraftEditing } from '../../editing/draftEditing.svelte';
import { askProfile, changeProfile, createProfile } from '../server';
import type { Profile } from '../types';

export interface ProfileDraft {
  name: string;
  text: string;
}

const draftOf = (profile: Profile | null): ProfileDraft => ({ name: profile?.name ?? '', text: profile?.text ?? '' });
const contentOf = ({ name, text }: ProfileDraft): ProfileDraft => ({ name: name.trim(), text: text.trim() });

export const asText = ({ name, text }: ProfileDraft): string => [name, '', text].join('\n');

export class ProfileEditing extends DraftEditing<Profile, ProfileDraft, ProfileDraft> {
  /** Without an id it is a new one; one that begins with an example leaves the draft of another new one alone. */
  constructor(instanceId: string, profileId: string | undefined, example?: ProfileDraft) {
    const key = profileId ?? `${example ? 'example' : 'new'}.${instanceId}`;
    super(
      {
        key: `profileDraft.${key}`,
        kind: 'project',
        changedCode: 'profileChanged',
        fields: ['name', 'text'],
        id: profileId,
        draftOf,
        contentOf,
        wrongIn: ({ name }) => (name.trim() ? [] : ['name']),
        onTop: (changes) => changes,
        ask: (id, signal) => askProfile(instanceId, id, signal),
        create: (content) => createProfile(instanceId, content),
        change: (id, version, changes) => changeProfile(instanceId, id, { version, ...changes }),
      },
      example,
    );
  }
}
