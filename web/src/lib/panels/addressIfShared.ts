/** Two workspaces may have the same name: then their addresses tell them apart. */
import { workspacePath } from '../router';

type Named = { name: string; slug: string };

export function addressIfShared(workspace: Named, all: readonly Named[]): string | undefined {
  return all.filter(({ name }) => name === workspace.name).length > 1 ? workspacePath(workspace.slug) : undefined;
}

/** The name, with the address where another has the same: for places that take nothing but text. */
export function distinctName(workspace: Named, all: readonly Named[]): string {
  return [workspace.name, addressIfShared(workspace, all)].filter(Boolean).join(' ');
}
