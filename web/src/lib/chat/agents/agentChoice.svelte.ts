/** The agent chosen for the next new conversation of a workspace; kept on the device, as drafts are. */
import { forget, recall, remember } from '../../device';

class AgentChoice {
  #id = $state<string | null>(null);
  #key: string;

  constructor(workspaceId: string) {
    this.#key = `agent.${workspaceId}`;
    this.#id = recall(this.#key);
  }

  get id(): string | null {
    return this.#id;
  }

  /** Null: the agent that conversations begin with. */
  choose(id: string | null): void {
    this.#id = id;
    if (id === null) forget(this.#key);
    else remember(this.#key, id);
  }
}

const choices = new Map<string, AgentChoice>();

export function agentChoiceIn(workspaceId: string): AgentChoice {
  const choice = choices.get(workspaceId) ?? new AgentChoice(workspaceId);
  choices.set(workspaceId, choice);
  return choice;
}
