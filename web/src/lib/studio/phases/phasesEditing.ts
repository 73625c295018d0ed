/** The phases of a project being arranged. */
import { DraftEditing } from '../../editing/draftEditing.svelte';
import { askProject, changeProject } from '../server';
import type { Project, ProjectPlace } from '../types';
import { contentOf, draftOf, wrongRows, type Content, type PhasesDraft } from './draft';

export class PhasesEditing extends DraftEditing<Project, PhasesDraft, Content> {
  constructor(place: ProjectPlace) {
    super({
      key: `phasesDraft.${place.projectId}`,
      kind: 'project',
      changedCode: 'projectChanged',
      fields: ['phases'],
      id: place.projectId,
      draftOf,
      contentOf,
      wrongIn: ({ rows }) => (wrongRows(rows).size > 0 ? ['phases'] : []),
      onTop: (changes) => changes,
      ask: (_, signal) => askProject(place, signal),
      create: () => Promise.reject(new Error('A project is not made by its phases.')),
      change: (_, version, changes) => changeProject(place, { version, ...changes }),
    });
  }
}
