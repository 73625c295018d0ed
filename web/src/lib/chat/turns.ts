/** Who said what, in order: each message of the user with the run that answers it, and the other ways it went. Pure. */
import type { Conversation, Message, Run } from '../api/types';
import { isOver } from '../run/events';
import { textOf } from '../run/storedRunView';

/** A file of the workspace. */
export interface FileRef {
  fileId: string;
  name: string;
}

type Material = Extract<Message['parts'][number], { type: 'material' }>;
/** A place that an answer may cite by its mark. */
export type Source = Pick<NonNullable<Material['sources']>[number], 'mark' | 'place' | 'opens' | 'address'>;

/** Something the user said, and the run that answers it. */
export interface Turn {
  messageId: string;
  prompt: string;
  /** The author, as far as the server has sent it; null when the account is gone. */
  author?: { id: string | null; name: string | null };
  runId: string | undefined;
  /** Runs of agents that handed the question over, oldest first. */
  earlier?: readonly string[];
  /** What was put to it, and what was read for it. */
  files?: readonly FileRef[];
  materials?: readonly (Pick<Material, 'kind' | 'place' | 'opens' | 'mark'> & Partial<Pick<Material, 'found'>> & { sources?: readonly Source[] })[];
  /** What it calls by `/name`. */
  skill?: { skillId: string; name: string } | undefined;
  /** Said differently, and answered differently. */
  messages?: Ways | undefined;
  answers?: Ways | undefined;
  /** Just sent: the server may not know it yet when it answers something older. */
  pending?: { replaces: string | undefined };
}

/** A place where the conversation branched: a message of each branch, oldest first, and which one is on the screen. */
export interface Ways {
  ids: readonly string[];
  at: number;
  count: number;
}

/** A message may have been answered several times: the answer on the screen counts, else the newest. */
export function turnsOf({ messages, runs, branchings }: Pick<Conversation, 'messages' | 'runs' | 'branchings'>): Turn[] {
  const shown = new Set(messages.map(({ runId }) => runId));
  const after = (parentId: string | null) => branchings.find((place) => place.parentId === parentId)?.messageIds ?? [];
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ id, parentId, parts, authorId, authorName }): Turn => {
      const own = runs.filter(({ messageId }) => messageId === id);
      const chain = handedOver(own, own.findLast((one) => shown.has(one.id)) ?? own.at(-1));
      const next = messages.find((message) => message.parentId === id);
      const answers = answersAt(id, after(id), next, own);
      const files = parts.filter((part) => part.type === 'file');
      const skill = parts.find((part) => part.type === 'skill');
      const later = messages.filter(({ runId, role }) => role === 'assistant' && runId !== null && chain.includes(runId)).flatMap((message) => message.parts);
      const materials = [...parts, ...later].filter((part) => part.type === 'material');
      return { messageId: id, prompt: textOf(parts), author: { id: authorId, name: authorName }, runId: chain.at(-1), earlier: chain.slice(0, -1), files, materials, skill, messages: waysAt(after(parentId), id), answers };
    });
}

/** What was just sent and is not in `turns` yet comes last, or in the place of what it replaces. */
export function withPending(turns: readonly Turn[], earlier: readonly Turn[]): Turn[] {
  const known = new Set(turns.map(({ messageId }) => messageId));
  return earlier
    .filter(({ messageId, pending }) => pending && !known.has(messageId))
    .reduce((all: Turn[], turn) => {
      const at = all.findIndex(({ messageId }) => messageId === turn.pending?.replaces);
      return [...(at < 0 ? all : all.slice(0, at)), turn];
    }, [...turns]);
}

/** Who else said it: undefined when it was this person, null when they are gone. */
export function otherAuthor({ author }: Pick<Turn, 'author'>, userId: string | undefined): string | null | undefined {
  return author === undefined || author.id === userId ? undefined : author.name;
}

/** Every run that answers this message, in their order. */
export function runsOf({ runId, earlier = [] }: Pick<Turn, 'runId' | 'earlier'>): readonly string[] {
  return runId === undefined ? earlier : [...earlier, runId];
}

/** The question of one run goes on with another. */
export function handOn(turns: readonly Turn[], from: string, to: string): Turn[] {
  return turns.map((turn) => (turn.runId === from ? { ...turn, earlier: runsOf(turn), runId: to } : turn));
}

/** A run that goes on where another handed over keeps its place in the order: both were created at the same moment. */
function handedOver(own: readonly Run[], run: Run | undefined): string[] {
  return own.filter(({ createdAt }) => createdAt === run?.createdAt).map(({ id }) => id);
}

function answersAt(asked: string, ids: readonly string[], next: Message | undefined, own: readonly Run[]): Ways | undefined {
  if (next) return next.role === 'user' ? undefined : waysAt(ids, next.id);
  const newest = own.at(-1);
  if (newest && !isOver(newest.state)) return undefined; // it may still say something, and be one of them
  // The newest try has said nothing that is stored. Earlier answers are still there; a single one is found by what it answers.
  const earlier = own.slice(0, -1).some(({ rounds }) => rounds > 0);
  const known = ids.length > 0 ? ids : earlier ? [asked] : [];
  return known.length > 0 ? { ids: known, at: known.length, count: known.length + 1 } : undefined;
}

function waysAt(ids: readonly string[], shown: string): Ways | undefined {
  const at = ids.indexOf(shown);
  return at < 0 || ids.length < 2 ? undefined : { ids, at, count: ids.length };
}
