/** One agent being written. What is typed is kept on the device until it is saved, and never overwritten by what others save. */
import { Problem } from '../api/problem';
import { forget, recall, remember } from '../device';
import { Form } from '../state/form.svelte';
import { live } from '../state/live.svelte';
import { changesIn, contentOf, draftOf, onTop, wrongIn, type Draft } from './draft';
import { askAgent, changeAgent, createAgent } from './server';
import type { Agent } from './types';

const FIELDS = ['name', 'glyph', 'description', 'instructions', 'toolSets', 'toolNames', 'trustedTools', 'temperature', 'model', 'operation', 'maxRounds', 'maxCostCHF', 'handsTo'];

interface Kept {
  /** The version it was made from. */
  base: Agent | null;
  draft: Draft;
}

export class Editing {
  status = $state<'loading' | 'ready' | 'failed'>('loading');
  problem = $state.raw<Problem | null>(null);
  /** What the draft was made from, and what is stored by now. */
  base = $state.raw<Agent | null>(null);
  newest = $state.raw<Agent | null>(null);
  draft = $state<Draft>(draftOf(null));
  changes = $derived(changesIn(this.draft, this.base));
  readonly form = new Form(...FIELDS);
  #key: string;
  #asked: AbortController | undefined;

  /** Without an id it is a new one. */
  constructor(
    readonly workspaceId: string,
    readonly agentId: string | undefined,
  ) {
    this.#key = `agentDraft.${agentId ?? `new.${workspaceId}`}`;
    const kept = this.#recall();
    if (agentId === undefined) this.status = 'ready';
    if (!kept) return;
    this.base = kept.base;
    this.draft = { ...draftOf(kept.base), ...kept.draft }; // what it did not know of when it was kept is not changed
  }

  get isChanged(): boolean {
    return Object.keys(this.changes).length > 0;
  }

  /** Another user has saved it since. */
  get isOvertaken(): boolean {
    return this.isChanged && this.base !== null && this.newest !== null && this.newest.version > this.base.version;
  }

  /** Look at what is stored; who has changed nothing sees it at once. */
  async look(): Promise<void> {
    if (this.agentId === undefined) return;
    this.#asked?.abort();
    const { signal } = (this.#asked = new AbortController());
    try {
      const found = await askAgent({ instanceId: this.workspaceId, agentId: this.agentId }, signal);
      if (signal.aborted) return;
      this.#take(found);
      this.problem = null;
    } catch (cause) {
      if (signal.aborted) return;
      if (this.status === 'ready' && Problem.of(cause).code === 'network') return; // the stream will say hello again
      this.problem = Problem.of(cause);
      this.status = 'failed';
    }
  }

  /** The editor was left: answers on their way are not waited for. */
  leave(): void {
    this.#asked?.abort();
  }

  /** Only what was changed is sent, so that it can go on top of what another user has saved. Returns what is stored then. */
  async save(over = false): Promise<Agent | undefined> {
    if (!this.form.accept(wrongIn(this.draft))) return undefined;
    let saved: Agent | undefined;
    await this.form.send(async () => {
      saved = await this.#send(over);
      live.changed('agent');
    });
    if (saved) {
      this.#asked?.abort(); // it would tell of the version before
      this.adopt(saved);
    } else if (this.form.problem?.code === 'agentChanged') await this.look();
    return saved;
  }

  /** From here on this is what is stored; what was typed goes. */
  adopt(agent: Agent | null): void {
    this.base = this.newest = agent;
    this.draft = draftOf(agent);
    this.form.problem = null;
    forget(this.#key);
  }

  /** For a reload; called whenever something was typed. */
  keep(): void {
    if (this.status !== 'ready') return;
    const kept: Kept = { base: this.base, draft: $state.snapshot(this.draft) };
    if (this.isChanged) remember(this.#key, JSON.stringify(kept));
    else forget(this.#key);
  }

  /** `over`: on top of what is stored by now. */
  #send(over: boolean): Promise<Agent> {
    const { base, newest, agentId, changes } = this;
    if (agentId === undefined || base === null) return createAgent(this.workspaceId, contentOf(this.draft));
    const path = { instanceId: this.workspaceId, agentId };
    return over && newest ? changeAgent(path, newest.version, onTop(changes, base, newest)) : changeAgent(path, base.version, changes);
  }

  #take(agent: Agent): void {
    this.newest = agent;
    if (this.base === null || !this.isChanged) {
      this.base = agent;
      this.draft = draftOf(agent);
    } else if (this.base.version === agent.version) this.base = agent; // shared differently, perhaps
    this.status = 'ready';
  }

  #recall(): Kept | undefined {
    try {
      return JSON.parse(recall(this.#key) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  }
}
