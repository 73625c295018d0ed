/** One agent being written. */
import { DraftEditing } from '../editing/draftEditing.svelte';
import { contentOf, draftOf, onTop, wrongIn, type Content, type Draft } from './draft';
import { askAgent, changeAgent, createAgent } from './server';
import type { Agent } from './types';

const FIELDS = ['name', 'glyph', 'description', 'instructions', 'toolSets', 'toolNames', 'trustedTools', 'fileEdits', 'temperature', 'model', 'operation', 'maxRounds', 'maxCostCHF', 'handsTo'];

export class Editing extends DraftEditing<Agent, Draft, Content> {
  /** Without an id it is a new one. */
  constructor(instanceId: string, agentId: string | undefined) {
    super({
      key: `agentDraft.${agentId ?? `new.${instanceId}`}`,
      kind: 'agent',
      changedCode: 'agentChanged',
      fields: FIELDS,
      id: agentId,
      draftOf,
      contentOf,
      wrongIn,
      onTop,
      ask: (id, signal) => askAgent({ instanceId, agentId: id }, signal),
      create: (content) => createAgent(instanceId, content),
      change: (id, version, changes) => changeAgent({ instanceId, agentId: id }, version, changes),
    });
  }
}
