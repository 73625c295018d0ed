/** The dialogs of the studio; one entry among all dialogs (`state/dialogs.svelte.ts`), so that the first page stays light. */
import { dialogs } from '../state/dialogs.svelte';
import type { PersonaDraft } from './personas/draft';
import type { Block, BlockKind, Persona, Phase, ProjectFacts, ProjectPlace, Room } from './types';

/** What blocks stand among. */
export interface Tree {
  place: ProjectPlace;
  roadmap: readonly Phase[];
  blocks: readonly Block[];
}

export type StudioDialog =
  | { what: 'project'; room: Room; project: ProjectFacts | null; example?: { name: string; description: string } }
  | { what: 'persona'; place: ProjectPlace; language: string; persona: Persona | null; example?: PersonaDraft }
  | { what: 'phases'; place: ProjectPlace; name: string }
  | { what: 'newBlock'; place: ProjectPlace; blockKind: BlockKind; phase: string; parentId: string | null; open: (block: Block) => void }
  | { what: 'renameBlock'; place: ProjectPlace; block: Block }
  | { what: 'moveBlock'; tree: Tree; block: Block }
  | { what: 'dependencies'; tree: Tree; block: Block };

export function show(about: StudioDialog): void {
  dialogs.show({ kind: 'studio', about });
}
