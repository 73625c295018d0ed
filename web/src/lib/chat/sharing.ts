/** Who reads and writes in a conversation beside its owner. Pure. */
import type { ConversationRef } from '../api/types';

export function isMine({ ownerId }: Pick<ConversationRef, 'ownerId'>, userId: string | undefined): boolean {
  return ownerId === userId;
}

export function isShared({ visibility, sharedWith }: Pick<ConversationRef, 'visibility' | 'sharedWith'>): boolean {
  return visibility === 'GROUP' || sharedWith.length > 0;
}

type Readable = Pick<ConversationRef, 'ownerId' | 'visibility' | 'groupWrites' | 'sharedWith'>;

/** Why a user cannot write in a conversation they read: their role, how it was shared with them, or that it was not. */
export function whyReadOnly(conversation: Readable, userId: string | undefined): 'role' | 'reader' | 'inspector' {
  const granted = conversation.sharedWith.find((grant) => grant.userId === userId);
  const group = conversation.visibility === 'GROUP';
  if (isMine(conversation, userId) || granted?.mayWrite || (group && conversation.groupWrites)) return 'role';
  return group || granted ? 'reader' : 'inspector';
}
