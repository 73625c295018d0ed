/** What the pages of the studio ask the server, each question in one place. */
import { api, take } from '../api/client';
import type { components } from '../api/schema';
import type { ListQuery, Page } from '../api/types';
import { i18n } from '../i18n/index.svelte';
import type { Block, BlockPlace, BlockStatus, BlockText, BlockVersion, Evaluation, Persona, PersonaContent, Profile, Project, ProjectEntry, ProjectFacts, ProjectFormat, ProjectPlace } from './types';

type Bodies = components['schemas'];
type Trash = { deleted?: boolean };

const STUDIO = '/api/workspace/{instanceId}/studio';
const PROJECTS = `${STUDIO}/projects` as const;
const PROJECT = `${PROJECTS}/{projectId}` as const;
const BLOCKS = `${PROJECT}/blocks` as const;
const BLOCK = `${BLOCKS}/{blockId}` as const;
const PERSONAS = `${PROJECT}/personas` as const;
const PERSONA = `${PERSONAS}/{personaId}` as const;
const EVALUATIONS = `${PROJECT}/evaluations` as const;
const PROFILES = `${STUDIO}/profiles` as const;
const PROFILE = `${PROFILES}/{profileId}` as const;
/** Names of phases come in the language of the page. */
const inPageLanguage = () => ({ language: i18n.language });

export const listProjects = (instanceId: string, query: ListQuery & Trash, signal: AbortSignal): Promise<Page<ProjectEntry>> =>
  take(api.GET(PROJECTS, { params: { path: { instanceId }, query }, signal }));

export const createProject = (instanceId: string, body: Bodies['NewProject']): Promise<Project> => take(api.POST(PROJECTS, { params: { path: { instanceId } }, body }));

export const askProject = (path: ProjectPlace, signal: AbortSignal): Promise<Project> => take(api.GET(PROJECT, { params: { path, query: inPageLanguage() }, signal }));

export const changeProject = (path: ProjectPlace, body: Bodies['ProjectInput']): Promise<Project> => take(api.PATCH(PROJECT, { params: { path, query: inPageLanguage() }, body }));

export const deleteProject = (path: ProjectPlace) => take(api.DELETE(PROJECT, { params: { path } }));

export const restoreProject = (path: ProjectPlace): Promise<Project> => take(api.POST(`${PROJECT}/restore`, { params: { path } }));

/** Without a phase, to the next one. `force`: also when blocks of the present phase are empty. */
export const advanceProject = (path: ProjectPlace, targetPhase: string | null, force = false): Promise<Project> =>
  take(api.POST(`${PROJECT}/advance`, { params: { path, query: inPageLanguage() }, body: { targetPhase, force } }));

/** As a document of what is written in it, or as JSON to continue it elsewhere. */
export const exportProject = async (path: ProjectPlace, format: ProjectFormat): Promise<Blob> => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (await take<unknown>(api.GET(`${PROJECT}/export`, { params: { path, query: { format, timeZone } }, parseAs: 'blob' }))) as Blob;
};

export const importProject = (instanceId: string, body: Bodies['ProjectFile']): Promise<Project> => take(api.POST(`${PROJECTS}/import`, { params: { path: { instanceId } }, body }));

/** The user's own conversation about the project. */
export const openConversation = async (path: ProjectPlace): Promise<string> => (await take(api.POST(`${PROJECT}/conversation`, { params: { path } }))).workflowId;

/** What a conversation is about; null: no project. */
export const projectOf = async (instanceId: string, workflowId: string, signal: AbortSignal): Promise<ProjectFacts | null> =>
  (await take(api.GET('/api/workspace/{instanceId}/conversations/{workflowId}/project', { params: { path: { instanceId, workflowId } }, signal }))).project;

export const listBlocks = (path: ProjectPlace, signal: AbortSignal, deleted = false): Promise<Block[]> => take(api.GET(BLOCKS, { params: { path, query: { deleted } }, signal }));

export const addBlock = (path: ProjectPlace, body: Bodies['BlockNew']): Promise<Block> => take(api.POST(BLOCKS, { params: { path }, body }));

export const askBlock = (path: BlockPlace, signal: AbortSignal): Promise<BlockText> => take(api.GET(BLOCK, { params: { path }, signal }));

export const renameBlock = (path: BlockPlace, name: string): Promise<Block> => take(api.PATCH(BLOCK, { params: { path }, body: { name } }));

export const moveBlock = (path: BlockPlace, body: Bodies['BlockPlace']): Promise<Block> => take(api.POST(`${BLOCK}/move`, { params: { path }, body }));

/** `before`: on which it depended when the change was made. */
export const setDependencies = (path: BlockPlace, dependsOn: string[], before: string[]): Promise<Block> =>
  take(api.PUT(`${BLOCK}/dependencies`, { params: { path }, body: { dependsOn, before } }));

export const writeBlock = (path: BlockPlace, version: number, text: string, status: BlockStatus): Promise<BlockText> =>
  take(api.PUT(`${BLOCK}/text`, { params: { path }, body: { version, text, status } }));

export const copyBlock = (path: BlockPlace): Promise<Block> => take(api.POST(`${BLOCK}/copy`, { params: { path } }));

/** `force`: also when blocks that stay depend on it. */
export const deleteBlock = (path: BlockPlace, force = false) => take(api.DELETE(BLOCK, { params: { path, query: { force } } }));

export const restoreBlock = (path: BlockPlace): Promise<Block> => take(api.POST(`${BLOCK}/restore`, { params: { path } }));

/** There are changes that are not saved: agents propose meanwhile. Counts for a minute. */
export const beginEditing = (path: BlockPlace): Promise<BlockText> => take(api.PUT(`${BLOCK}/editing`, { params: { path } }));

export const endEditing = (path: BlockPlace) => take(api.DELETE(`${BLOCK}/editing`, { params: { path } }));

export const listVersions = (path: BlockPlace, query: ListQuery, signal: AbortSignal): Promise<Page<BlockVersion>> => take(api.GET(`${BLOCK}/versions`, { params: { path, query }, signal }));

export const textOfVersion = async (path: BlockPlace, version: number): Promise<string> =>
  (await take(api.GET(`${BLOCK}/versions/{version}`, { params: { path: { ...path, version } } }))).text;

export const restoreVersion = (path: BlockPlace, version: number): Promise<BlockText> =>
  take(api.POST(`${BLOCK}/versions/{version}/restore`, { params: { path: { ...path, version } } }));

export const listPersonas = (path: ProjectPlace, signal: AbortSignal, deleted = false): Promise<Persona[]> => take(api.GET(PERSONAS, { params: { path, query: { deleted } }, signal }));

export const addPersona = (path: ProjectPlace, body: PersonaContent): Promise<Persona> => take(api.POST(PERSONAS, { params: { path }, body }));

export const changePersona = (path: ProjectPlace, personaId: string, body: Bodies['PersonaInput']): Promise<Persona> =>
  take(api.PATCH(PERSONA, { params: { path: { ...path, personaId } }, body }));

export const deletePersona = (path: ProjectPlace, personaId: string) => take(api.DELETE(PERSONA, { params: { path: { ...path, personaId } } }));

export const restorePersona = (path: ProjectPlace, personaId: string): Promise<Persona> => take(api.POST(`${PERSONA}/restore`, { params: { path: { ...path, personaId } } }));

export const listEvaluations = (path: ProjectPlace, query: ListQuery, signal: AbortSignal): Promise<Page<Evaluation>> => take(api.GET(EVALUATIONS, { params: { path, query }, signal }));

export const askEvaluation = (path: ProjectPlace, evaluationId: string, signal: AbortSignal): Promise<Evaluation> =>
  take(api.GET(`${EVALUATIONS}/{evaluationId}`, { params: { path: { ...path, evaluationId } }, signal }));

export const listProfiles = (instanceId: string, query: ListQuery & Trash, signal: AbortSignal): Promise<Page<Profile>> =>
  take(api.GET(PROFILES, { params: { path: { instanceId }, query }, signal }));

export const askProfile = (instanceId: string, profileId: string, signal: AbortSignal): Promise<Profile> => take(api.GET(PROFILE, { params: { path: { instanceId, profileId } }, signal }));

export const createProfile = (instanceId: string, body: Bodies['NewCreatorProfile']): Promise<Profile> => take(api.POST(PROFILES, { params: { path: { instanceId } }, body }));

export const changeProfile = (instanceId: string, profileId: string, body: Bodies['CreatorProfileInput']): Promise<Profile> =>
  take(api.PATCH(PROFILE, { params: { path: { instanceId, profileId } }, body }));

export const deleteProfile = (instanceId: string, profileId: string) => take(api.DELETE(PROFILE, { params: { path: { instanceId, profileId } } }));

export const restoreProfile = (instanceId: string, profileId: string): Promise<Profile> => take(api.POST(`${PROFILE}/restore`, { params: { path: { instanceId, profileId } } }));
