/** What can be done with an agent from anywhere: copied, shared, begun with, taken away as a file, thrown away. Problems are
 * said. */
import type { Visibility } from '../api/types';
import { saveFile } from '../files/saveFile';
import { t } from '../i18n/index.svelte';
import { agentsPath } from '../router';
import { shareWithUndo } from '../sharing/shareWithUndo';
import { dialogs } from '../state/dialogs.svelte';
import { live } from '../state/live.svelte';
import { page } from '../state/route.svelte';
import { sayProblem } from '../state/say';
import { session } from '../state/session.svelte';
import { toasts } from '../state/toasts.svelte';
import { moveToTrash, type Deletable } from '../state/trash';
import type { MenuGroups, MenuItem } from '../ui/Menu.svelte';
import type { AgentsHere } from './agents.svelte';
import { beginWith } from './first';
import { mayAgent, mayMake, maySharing } from './may';
import { copyAgent, deleteAgent, exportAgent, restoreAgent, shareAgent, type Place } from './server';
import type { Agent } from './types';

interface Room {
  id: string;
  slug: string;
}

/** Everything but opening it. `here`: among whom it can be chosen. */
export function itemsOf(agent: Agent, room: Room, here: AgentsHere): MenuGroups {
  const copy: MenuItem[] = mayMake() ? [{ label: t('agents.duplicate'), icon: 'copy', run: () => void duplicate(agent, room).catch(sayProblem) }] : [];
  const sharing = maySharing(agent).map((whom): MenuItem => ({ label: t(`visibility.${whom}`), checked: agent.visibility === whom, run: () => share(agent, room, whom) }));
  return [
    [...copy, { label: t('agents.export'), icon: 'arrow-down', run: () => void download(agent, room).catch(sayProblem) }],
    sharing,
    mayBegin(agent, here) ? [{ label: t('agents.makeFirst'), icon: 'bot', run: () => makeFirst(agent, room, here.chosenFirst) }] : [],
    mayAgent('delete', agent) ? [{ label: t('agents.delete'), icon: 'trash-2', danger: true, run: () => void moveToTrash(deletable(agent, room)).catch(sayProblem) }] : [],
  ];
}

async function duplicate(agent: Agent, room: Room): Promise<void> {
  const made = await copyAgent(placeOf(agent, room), t('agents.copyOf', { name: agent.name }).slice(0, 120));
  live.changed('agent');
  page.go(agentsPath(room.slug, made.id));
}

/** For users who may change the workspace; a private one has to be shared for that. */
function mayBegin(agent: Agent, here: AgentsHere): boolean {
  const isReachable = agent.visibility !== 'MY' || maySharing(agent).includes('GROUP');
  return session.may('changeWorkspaces') && here.status === 'ready' && here.first?.id !== agent.id && isReachable;
}

/** From now on new conversations begin with it. A private agent is shared first, if that is confirmed. */
function makeFirst(agent: Agent, room: Room, before: string | null): void {
  const run = async () => {
    if (agent.visibility === 'MY') {
      await shareAgent(placeOf(agent, room), 'GROUP');
      live.changed('agent');
    }
    await beginWith(room.id, agent.id);
    toasts.show(t('agents.madeFirst', { name: agent.name }), { action: { label: t('action.undo'), run: () => void beginWith(room.id, before).catch(sayProblem) } });
  };
  if (agent.visibility !== 'MY') return void run().catch(sayProblem);
  dialogs.confirm({ title: t('agents.firstTitle', { name: agent.name }), text: t('agents.firstText'), action: t('agents.firstShare'), calm: true, run });
}

/** Asks first where it goes further than one may think. */
export function share(agent: Agent, room: Room, whom: Visibility): void {
  if (whom === agent.visibility) return;
  if (whom !== 'ALL') return void shareNow(agent, room, whom).catch(sayProblem);
  dialogs.confirm({
    title: t('agents.shareTitle', { name: agent.name }),
    text: t('agents.shareText'),
    action: t('sharing.all'),
    calm: true,
    run: () => shareNow(agent, room, whom),
  });
}

function shareNow(agent: Agent, room: Room, whom: Visibility): Promise<void> {
  const text = t('agents.shared', { name: agent.name, whom: t(`visibility.${whom}`) });
  return shareWithUndo({ kind: 'agent', thing: agent, whom, send: (visibility) => shareAgent(placeOf(agent, room), visibility), text });
}

async function download(agent: Agent, room: Room): Promise<void> {
  const file = await exportAgent(placeOf(agent, room));
  saveFile(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }), `${agent.slug}.agent.json`);
}

export function deletable(agent: Agent, room: Room): Deletable {
  const [place, listPath] = [placeOf(agent, room), agentsPath(room.slug)];
  return { kind: 'agent', name: agent.name, path: agentsPath(room.slug, agent.id), listPath, remove: () => deleteAgent(place), restore: () => restoreAgent(place) };
}

function placeOf(agent: Agent, room: Room): Place {
  return { instanceId: room.id, agentId: agent.id };
}
