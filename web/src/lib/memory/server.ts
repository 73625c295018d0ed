/** What the panel asks the server, each question in one place. */
import { api, take } from '../api/client';
import type { Memory } from './types';

export interface Place {
  instanceId: string;
  workflowId: string;
}

export const askMemory = (path: Place, signal: AbortSignal): Promise<Memory> =>
  take(api.GET('/api/workspace/{instanceId}/conversations/{workflowId}/memory', { params: { path }, signal }));

export const forgetAll = (path: Place) => take(api.DELETE('/api/workspace/{instanceId}/conversations/{workflowId}/memory', { params: { path } }));

export const forgetEntity = (path: Place, memoryId: string) =>
  take(api.DELETE('/api/workspace/{instanceId}/conversations/{workflowId}/memory/{memoryId}', { params: { path: { ...path, memoryId } } }));

export const forgetSummary = (path: Place, messageId: string) =>
  take(api.DELETE('/api/workspace/{instanceId}/conversations/{workflowId}/memory/summaries/{messageId}', { params: { path: { ...path, messageId } } }));
