/** Where what was found leads to. */
import { api, take } from '../api/client';
import type { InstanceRef } from '../api/types';
import { targetOfPassage } from '../knowledge/place';
import { openPreview } from '../preview/open';
import { agentsPath, conversationPath } from '../router';
import { dialogs } from '../state/dialogs.svelte';
import { page } from '../state/route.svelte';
import { sayProblem } from '../state/say';
import { session } from '../state/session.svelte';
import { messagePath } from './messagePath';
import type { SearchHit } from './server';

export function openHit(workspace: InstanceRef, hit: SearchHit, q: string): void {
  switch (hit.kind) {
    case 'file':
      return openPreview({ fileId: hit.id });
    case 'passage':
      return openPreview({ fileId: hit.id, inside: hit.passage?.inside || undefined, ...(hit.passage ? targetOfPassage(hit.passage) : {}) });
    case 'conversation':
      return page.go(conversationPath(workspace.slug, hit.id));
    case 'message':
      return page.go(messagePath(workspace.slug, hit, q));
    case 'agent':
      return page.go(agentsPath(workspace.slug, hit.id));
    case 'person':
      return openPerson(workspace, hit.id);
    case 'note':
    case 'todo':
      return dialogs.show({ kind: 'found', instanceId: workspace.id, hit });
  }
}

/** Those who may change people look after this one; others see who belongs to the workspace. */
function openPerson(workspace: InstanceRef, userId: string): void {
  if (!session.may('changePeople')) return dialogs.show({ kind: 'members', instance: workspace });
  take(api.GET('/api/users/{userId}', { params: { path: { userId } } })).then((user) => dialogs.show({ kind: 'editUser', user }), sayProblem);
}
