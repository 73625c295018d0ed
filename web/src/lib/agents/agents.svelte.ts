/** The agents one can choose in a workspace, named in the language of the page, and whom conversations begin with. */
import { api, take } from '../api/client';
import { i18n } from '../i18n/index.svelte';
import { live } from '../state/live.svelte';
import { Newest } from '../state/newest';
import { session } from '../state/session.svelte';
import { inOrder } from './teams';
import type { Agent } from './types';

const AT_ONCE = 200;
const ASSISTANT = 'assistant';

export class AgentsHere {
  all = $state.raw<readonly Agent[]>([]);
  status = $state<'unknown' | 'ready' | 'failed'>('unknown');
  /** The agent the workspace has chosen to begin with; null: none. */
  chosenFirst = $state<string | null>(null);
  #newest = new Newest();

  constructor(
    readonly workspaceId: string,
    readonly language: Agent['language'] & string,
  ) {}

  /** Call in an effect where agents are shown; returns the way to stop. */
  follow(): () => void {
    void this.#fetch();
    return live.follow(['agent', 'instance', 'role'], () => void this.#fetch());
  }

  find(id: string | null | undefined): Agent | undefined {
    return this.all.find((agent) => agent.id === id);
  }

  /** The agent a conversation begins with, unless another is chosen. */
  get first(): Agent | undefined {
    return this.find(this.chosenFirst) ?? this.assistant;
  }

  /** Who answered before there was a choice. */
  get assistant(): Agent | undefined {
    return this.all.find(({ builtin, slug }) => builtin && slug === ASSISTANT);
  }

  async #fetch(): Promise<void> {
    const path = { instanceId: this.workspaceId };
    const isNewest = this.#newest.ask();
    try {
      const [all, config] = await Promise.all([this.#every(), take(api.GET('/api/workspace/{instanceId}/agentConfig', { params: { path } }))]);
      if (!isNewest()) return;
      this.all = inOrder(all);
      this.chosenFirst = config.defaultAgentId ?? null;
      this.status = 'ready';
    } catch {
      if (isNewest() && this.status === 'unknown') this.status = 'failed'; // the stream will say hello again, and this runs again
    }
  }

  async #every(): Promise<Agent[]> {
    const found: Agent[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: AT_ONCE, language: this.language, ...(cursor ? { cursor } : {}) };
      const page = await take(api.GET('/api/instances/{instanceId}/agents', { params: { path: { instanceId: this.workspaceId }, query } }));
      found.push(...page.items);
      cursor = page.nextCursor ?? null;
    }
    return found;
  }
}

const known = new Map<string, AgentsHere>();

/** Asked again whenever the language changes. Another user who signs in later sees nothing of this one. */
export function agentsIn(workspaceId: string): AgentsHere {
  const { language } = i18n;
  const key = `${session.data?.user.id} ${workspaceId} ${language}`;
  const here = known.get(key) ?? new AgentsHere(workspaceId, language);
  known.set(key, here);
  return here;
}
