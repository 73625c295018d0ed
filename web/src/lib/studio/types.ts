/** What the server says of the studio, by the names the pages use. */
import type { components } from '../api/schema';

type Shapes = components['schemas'];

export type Project = Shapes['ProjectView'];
/** A project by itself, as lists and conversations have it too. */
export type ProjectFacts = Shapes['Project'];
export type ProjectEntry = Shapes['ProjectEntry'];
export type ProjectPhase = Shapes['ProjectPhase'];
export type ProjectFormat = Shapes['ProjectExportFormat'];
export type Phase = Shapes['PhaseView'];
export type PhaseStatus = Shapes['PhaseStatus'];
export type Profile = Shapes['CreatorProfile'];
export type Block = Shapes['Block'];
export type BlockKind = Shapes['BlockKind'];
export type BlockText = Shapes['BlockText'];
export type BlockStatus = Shapes['BlockStatus'];
export type BlockVersion = Shapes['BlockVersion'];
export type Persona = Shapes['AudiencePersona'];
export type PersonaContent = Shapes['PersonaContent'];
export type Evaluation = Shapes['ContentEvaluationView'];

/** The workspace that a page is about. */
export interface Room {
  id: string;
  slug: string;
}

export interface ProjectPlace {
  instanceId: string;
  projectId: string;
}

export interface BlockPlace extends ProjectPlace {
  blockId: string;
}
