/** One skill being written. */
import { DraftEditing } from '../editing/draftEditing.svelte';
import { contentOf, draftOf, wrongIn, type Content, type Draft } from './draft';
import { askSkill, changeSkill, createSkill } from './server';
import type { Skill } from './types';

export class SkillEditing extends DraftEditing<Skill, Draft, Content> {
  /** Without an id it is a new one; one that begins with an example leaves the draft of another new one alone. */
  constructor(instanceId: string, skillId: string | undefined, example?: Draft) {
    const key = skillId ?? `${example ? 'example' : 'new'}.${instanceId}`;
    super(
      {
        key: `skillDraft.${key}`,
        kind: 'skill',
        changedCode: 'skillChanged',
        fields: ['name', 'description', 'instructions', 'parameters', 'examples', 'files'],
        id: skillId,
        draftOf,
        contentOf,
        wrongIn,
        onTop: (changes) => changes,
        ask: (id, signal) => askSkill({ instanceId, skillId: id }, signal),
        create: (content) => createSkill(instanceId, content),
        change: (id, version, changes) => changeSkill({ instanceId, skillId: id }, version, changes),
      },
      example,
    );
  }
}
