/** One persona being written. */
import { Problem } from '../../api/problem';
import { DraftEditing } from '../../editing/draftEditing.svelte';
import { addPersona, changePersona, listPersonas } from '../server';
import type { Persona, ProjectPlace } from '../types';
import { contentOf, draftOf, wrongIn, type Content, type PersonaDraft } from './draft';

export class PersonaEditing extends DraftEditing<Persona, PersonaDraft, Content> {
  /** Without an id it is a new one; one that begins with an example leaves the draft of another new one alone. */
  constructor(place: ProjectPlace, personaId: string | undefined, example?: PersonaDraft) {
    const key = personaId ?? `${example ? 'example' : 'new'}.${place.projectId}`;
    super(
      {
        key: `personaDraft.${key}`,
        kind: 'project',
        changedCode: 'personaChanged',
        fields: ['name', 'goals', 'pains', 'habits'],
        id: personaId,
        draftOf,
        contentOf,
        wrongIn,
        onTop: (changes) => changes,
        ask: async (id, signal) => {
          const persona = (await listPersonas(place, signal)).find((one) => one.id === id);
          if (!persona) throw new Problem('notFound', '', 404);
          return persona;
        },
        create: (content) => addPersona(place, content),
        change: (id, version, changes) => changePersona(place, id, { version, ...changes }),
      },
      example,
    );
  }
}
