/** The request body of a message: its text and files, the user's language, and which model and agent shall answer. */
import type { InputBody } from '../api/types';
import { i18n } from '../i18n/index.svelte';
import type { FileRef } from './turns';

export interface NewMessage {
  prompt: string;
  /** The same message sent twice has the same id. */
  clientId: string;
  /** Undefined: as they were; a message that replaces another keeps its files. */
  files?: readonly FileRef[] | undefined;
}

export function inputOf({ prompt, clientId, files }: NewMessage, place: Pick<InputBody, 'workflowId' | 'replaces' | 'model' | 'agentId'> = {}): InputBody {
  const uploaded = files ? { uploadedFiles: files.map(({ fileId }) => fileId) } : {};
  return { prompt, clientId, ...uploaded, ...place, userLanguage: i18n.language, voiceMode: false, returnToolRequests: false, agentConfig: {} };
}
