/** How the text of a file is read and stored while it is edited. */
import type { TextSource, WrittenText } from '../editing/writing.svelte';
import { recall } from '../device';
import { session } from '../state/session.svelte';
import { askFile, askText, writeText, type FileText } from './server';
import { isSameText } from './texts';

export type EditedText = FileText & WrittenText;
/** There is only one way to save a file. */
export type Saved = 'saved';

/** Of this user: others who sign in on this device do not see it. */
const keyOf = (fileId: string) => `fileDraft.${session.data?.user.id ?? ''}.${fileId}`;

export function hasDraft(fileId: string): boolean {
  return recall(keyOf(fileId)) !== null;
}

export function fileSource(fileId: string): TextSource<EditedText, Saved> {
  let newest: EditedText | undefined;
  const known = (found: FileText) => (newest = { ...found, agentName: '' });
  return {
    key: keyOf(fileId),
    kind: 'file',
    changedCode: 'fileChanged',
    isSame: isSameText,
    // Whatever happens to any file of the workspace asks: a long text is fetched only when it is another one.
    ask: async (signal) => {
      if (newest && (await askFile(fileId, signal)).version === newest.version) return newest;
      return known(await askText(fileId, undefined, signal));
    },
    write: async (version, text) => known(await writeText(fileId, version, text)),
  };
}
