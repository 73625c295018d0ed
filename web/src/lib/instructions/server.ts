/** Instructions for all agents, level by level: what is said, who said what before, and saying it differently. */
import { api, take } from '../api/client';
import type { components } from '../api/schema';
import type { ListQuery, Page } from '../api/types';

type Shapes = components['schemas'];
export type Instruction = Shapes['Instruction'];
export type InstructionVersion = Shapes['InstructionVersion'];
export type Scope = Instruction['scope'];

export const SCOPES: readonly Scope[] = ['user', 'instance', 'mandate', 'platform'];
export const LONGEST = 8_000;

/** Those there are for this person; of a workspace only where one is named. */
export async function askInstructions(instanceId: string | undefined): Promise<Instruction[]> {
  const levels = await (instanceId ? take(api.GET('/api/instances/{instanceId}/instructions', { params: { path: { instanceId } } })) : take(api.GET('/api/instructions')));
  return SCOPES.map((scope) => levels[scope]).filter((level) => level !== null && level !== undefined);
}

export function saveInstruction(scope: Scope, text: string, version: number, instanceId = ''): Promise<Instruction> {
  const body = { text, version };
  if (scope === 'instance') return take(api.PUT('/api/instances/{instanceId}/instructions', { params: { path: { instanceId } }, body }));
  return scope === 'mandate' ? take(api.PUT('/api/instructions/mandate', { body })) : take(api.PUT('/api/instructions/user', { body }));
}

export function listInstructions(scope: Scope, query: ListQuery, signal: AbortSignal, instanceId = ''): Promise<Page<InstructionVersion>> {
  const params = { query };
  if (scope === 'instance') return take(api.GET('/api/instances/{instanceId}/instructions/versions', { params: { ...params, path: { instanceId } }, signal }));
  if (scope === 'mandate') return take(api.GET('/api/instructions/mandate/versions', { params, signal }));
  return scope === 'user' ? take(api.GET('/api/instructions/user/versions', { params, signal })) : take(api.GET('/api/instructions/platform/versions', { params, signal }));
}
