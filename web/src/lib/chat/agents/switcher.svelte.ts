/** The choice of who answers, while it is on the page: for other places that offer it, such as the palette. */
import type { AgentsHere } from '../../agents/agents.svelte';

export interface Offer {
  here: AgentsHere;
  active: string | undefined;
  choose: (agentId: string) => void;
}

class Switcher {
  offer = $state.raw<Offer | null>(null);

  /** For an effect of the one on the page; returns the way to take it back. */
  show(offer: Offer): () => void {
    this.offer = offer;
    return () => {
      if (this.offer === offer) this.offer = null;
    };
  }
}

export const switcher = new Switcher();
