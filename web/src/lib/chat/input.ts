/** What is sent when somebody says something: their words and files, the language they read, and who shall answer. */
import type { InputBody } from '../api/types';
import { i18n } from '../i18n/index.svelte';
import type { FileRef } from './turns';

export interface Said {
  prompt: string;
  /** The same message sent twice has the same one. */
  clientId: string;
  /** Undefined where nothing is said of files: a message that replaces another keeps its own. */
  files?: readonly FileRef[] | undefined;
}

export function inputOf({ prompt, clientId, files }: Said, place: Pick<InputBody, 'workflowId' | 'replaces' | 'model' | 'agentId'> = {}): InputBody {
  const uploaded = files ? { uploadedFiles: files.map(({ fileId }) => fileId) } : {};
  return { prompt, clientId, ...uploaded, ...place, userLanguage: i18n.language, voiceMode: false, agentConfig: {} };
}
