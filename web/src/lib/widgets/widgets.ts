/** Which widget a call shows: the component of the name of its payload, `Roadmap.svelte` for actions of type `roadmap`. */
import type { Component } from 'svelte';
import type { Widgets } from '../events/schema';
import type { CallItem, RunView } from '../run/reduce';

export type WidgetType = keyof Widgets;

export interface WidgetProps<Type extends WidgetType = WidgetType> {
  payload: Widgets[Type];
  workspaceId: string;
  /** Sends a message in the user's name; absent where the user cannot, or not now. */
  reply?: ((text: string) => Promise<void>) | undefined;
}

/** Where widgets stand: in which workspace, which calls show theirs, and how one replies. */
export interface WidgetHost {
  workspaceId: string;
  shown: ReadonlySet<string>;
  reply?: WidgetProps['reply'];
}

export interface Widget {
  type: WidgetType;
  payload: Widgets[WidgetType];
}

/** A later one takes the place of an earlier one: the work has gone on. */
const REPLACED: ReadonlySet<string> = new Set<WidgetType>(['roadmap', 'checklist', 'suggestions']);
const LOADERS = import.meta.glob<{ default: Component<WidgetProps> }>('./*.svelte');

export function loaderOf(type: string): () => Promise<{ default: Component<WidgetProps> }> {
  return LOADERS[`./${type.charAt(0).toUpperCase()}${type.slice(1)}.svelte`] as () => Promise<{ default: Component<WidgetProps> }>;
}

/** Undefined for calls that show none, or one that only newer pages know. */
export function widgetOf({ result }: CallItem): Widget | undefined {
  const action = result?.status === 'ok' ? result.actions?.find(({ type }) => loaderOf(type)) : undefined;
  return action && { type: action.type as WidgetType, payload: action.payload as Widgets[WidgetType] };
}

/** Calls whose widget is shown, of all runs on the screen, oldest first. Suggestions go with the last answer. Pure. */
export function shownWidgets(views: readonly RunView[], last: readonly RunView[], typeOf = (call: CallItem): string | undefined => widgetOf(call)?.type): ReadonlySet<string> {
  const calls = (some: readonly RunView[]) => some.flatMap(({ items }) => items).filter((item) => item.kind === 'call');
  const inLast = new Set(calls(last).map(({ id }) => id));
  const newest = new Map<string, string>();
  const shown = new Set<string>();
  for (const call of calls(views)) {
    const type = typeOf(call);
    if (type === undefined || (type === 'suggestions' && !inLast.has(call.id))) continue;
    const before = REPLACED.has(type) ? newest.get(type) : undefined;
    if (before !== undefined) shown.delete(before);
    newest.set(type, call.id);
    shown.add(call.id);
  }
  return shown;
}
