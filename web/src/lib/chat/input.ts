/** What is sent when somebody says something: their words, the language they read, and the model they want. */
import type { InputBody } from '../api/types';
import { i18n } from '../i18n/index.svelte';

export function inputOf(prompt: string, clientId: string, place: Pick<InputBody, 'workflowId' | 'replaces' | 'model'> = {}): InputBody {
  return { prompt, clientId, ...place, userLanguage: i18n.language, voiceMode: false, agentConfig: {} };
}
