/** Who shall answer in the next new conversation of a workspace; kept on the device, as drafts are. */
import { forget, recall, remember } from '../../device';

class AgentWish {
  #id = $state<string | null>(null);
  #key: string;

  constructor(workspaceId: string) {
    this.#key = `agent.${workspaceId}`;
    this.#id = recall(this.#key);
  }

  get id(): string | null {
    return this.#id;
  }

  /** Null: whoever conversations begin with. */
  choose(id: string | null): void {
    this.#id = id;
    if (id === null) forget(this.#key);
    else remember(this.#key, id);
  }
}

const wishes = new Map<string, AgentWish>();

export function agentWishIn(workspaceId: string): AgentWish {
  const wish = wishes.get(workspaceId) ?? new AgentWish(workspaceId);
  wishes.set(workspaceId, wish);
  return wish;
}
