/** How the text of a company's document is read and stored. */
import type { TextSource } from '../editing/writing.svelte';
import { askDocument, writeDocument, type DocumentPlace } from './server';
import type { DocumentStatus, DocumentView } from './types';

export const documentSource = (place: DocumentPlace): TextSource<DocumentView, DocumentStatus> => ({
  key: `documentDraft.${place.companyId}.${place.kind}`,
  kind: 'company',
  changedCode: 'documentChanged',
  ask: (signal) => askDocument(place, signal),
  write: (version, text, status) => writeDocument(place, version, text, status),
});
