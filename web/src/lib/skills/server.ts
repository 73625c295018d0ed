/** What the pages of skills ask the server, each question in one place. */
import { api, take } from '../api/client';
import type { ListQuery, Page, Visibility } from '../api/types';
import type { OnConflict } from '../editing/ImportFile.svelte';
import type { Content } from './draft';
import type { ImportedSkill, Skill, SkillContent, SkillEntry, SkillVersion } from './types';

export interface Place {
  instanceId: string;
  skillId: string;
}

const ALL = '/api/workspace/{instanceId}/skills';
const ONE = `${ALL}/{skillId}` as const;

export const listSkills = (instanceId: string, query: ListQuery & { deleted?: boolean }, signal: AbortSignal): Promise<Page<SkillEntry>> =>
  take(api.GET(ALL, { params: { path: { instanceId }, query }, signal }));

export const askSkill = (path: Place, signal?: AbortSignal): Promise<Skill> => take(api.GET(ONE, { params: { path }, ...(signal && { signal }) }));

export const createSkill = (instanceId: string, content: Content): Promise<Skill> =>
  take(api.POST(ALL, { params: { path: { instanceId } }, body: { ...content, visibility: 'MY' } }));

export const changeSkill = (path: Place, version: number, changes: Partial<Content>): Promise<Skill> =>
  take(api.PATCH(ONE, { params: { path }, body: { version, ...changes } }));

export const deleteSkill = (path: Place) => take(api.DELETE(ONE, { params: { path } }));

export const restoreSkill = (path: Place): Promise<Skill> => take(api.POST(`${ONE}/restore`, { params: { path } }));

/** With its workspace at most. */
export const shareSkill = (path: Place, visibility: Visibility): Promise<Skill> =>
  take(api.PUT(`${ONE}/visibility`, { params: { path }, body: { visibility: visibility === 'MY' ? 'MY' : 'GROUP' } }));

export const exportSkill = async (path: Place): Promise<Blob> => (await take<unknown>(api.GET(`${ONE}/export`, { params: { path }, parseAs: 'blob' }))) as Blob;

/** `content` is in base64. */
export const importSkills = (instanceId: string, content: string, onConflict: OnConflict): Promise<ImportedSkill[]> =>
  take(api.POST(`${ALL}/import`, { params: { path: { instanceId }, query: { onConflict } }, body: { content } }));

export const listVersions = (path: Place, query: ListQuery, signal: AbortSignal): Promise<Page<SkillVersion>> =>
  take(api.GET(`${ONE}/versions`, { params: { path, query }, signal }));

export const askVersion = async (path: Place, version: number): Promise<SkillContent> =>
  (await take(api.GET(`${ONE}/versions/{version}`, { params: { path: { ...path, version } } }))).content;

export const restoreVersion = (path: Place, version: number): Promise<Skill> =>
  take(api.POST(`${ONE}/versions/{version}/restore`, { params: { path: { ...path, version } } }));
