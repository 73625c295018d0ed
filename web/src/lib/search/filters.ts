/** What the palette can be narrowed to, for this user. */
import type { Ability } from '../access';
import type { Key } from '../i18n/index.svelte';
import { session } from '../state/session.svelte';
import type { SearchKind } from './server';

export interface Filter {
  name: string;
  label: Key;
  /** Found at once, and found in contents. */
  names: readonly SearchKind[];
  contents: readonly SearchKind[];
  needs?: Ability;
}

const EACH: readonly Filter[] = [
  { name: 'files', label: 'files.title', names: ['file'], contents: ['passage'], needs: 'seeFiles' },
  { name: 'conversations', label: 'conversation.list', names: ['conversation'], contents: ['message'], needs: 'seeConversations' },
  { name: 'agents', label: 'agents.title', names: ['agent'], contents: [], needs: 'useAgents' },
  { name: 'people', label: 'people.title', names: ['person'], contents: [], needs: 'seePeople' },
  { name: 'notes', label: 'object.data.note', names: ['note'], contents: [] },
  { name: 'todos', label: 'object.data.todo', names: ['todo'], contents: [] },
];

export const SETTINGS_FILTER: Filter = { name: 'settings', label: 'settings.title', names: [], contents: [] };

/** The first one is everything the others find. */
export function filters(): readonly [Filter, ...Filter[]] {
  const mine = EACH.filter(({ needs }) => needs === undefined || session.may(needs));
  const all: Filter = { name: 'all', label: 'search.all', names: mine.flatMap(({ names }) => names), contents: mine.flatMap(({ contents }) => contents) };
  return [all, ...mine, SETTINGS_FILTER];
}

/** The heading of what was found of a kind. */
export const KIND_LABELS: Record<SearchKind, Key> = {
  file: 'files.title',
  conversation: 'conversation.list',
  agent: 'agents.title',
  person: 'people.title',
  note: 'object.data.note',
  todo: 'object.data.todo',
  passage: 'search.inFiles',
  message: 'search.inConversations',
};
