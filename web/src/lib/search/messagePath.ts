/** The address of a message that was found: its conversation, at the place of the words. Pure. */
import { conversationPath } from '../router';
import type { SearchHit } from './server';

export function messagePath(slug: string, { id, messageId }: Pick<SearchHit, 'id' | 'messageId'>, q: string): string {
  return `${conversationPath(slug, id)}?${new URLSearchParams({ message: messageId ?? '', q })}`;
}

export function searchedMessage(query: string): { messageId: string; q: string } {
  const given = new URLSearchParams(query);
  return { messageId: given.get('message') ?? '', q: given.get('q') ?? '' };
}
