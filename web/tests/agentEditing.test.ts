/** An agent being written while answers of the server are late. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Editing } from '../src/lib/agents/editing.svelte';
import type { Agent } from '../src/lib/agents/types';

interface Asked {
  signal: AbortSignal;
  answer: (agent: Agent) => void;
}
const server = vi.hoisted(() => ({ asked: [] as Asked[], saved: {} as Agent }));
vi.mock('../src/lib/agents/server', () => ({
  askAgent: (_: unknown, signal: AbortSignal) => new Promise<Agent>((answer) => void server.asked.push({ signal, answer })),
  changeAgent: () => Promise.resolve(server.saved),
}));

const CONTENT = {
  description: '', glyph: '', instructions: { de: null, en: 'Be brief.', fr: null, pt: null, zh: null }, toolSets: [], toolNames: [], trustedTools: [], strategy: 'react',
  forcing: 'auto', temperature: 0.2, model: null, operation: 'CHAT', maxRounds: null, maxCostCHF: null, language: null, handsTo: [],
};
const agent = (version: number, name: string) => ({ ...CONTENT, id: 'a', version, name }) as unknown as Agent;

describe('an agent being written', () => {
  beforeEach(() => void (server.asked = []));

  const opened = async () => {
    const editing = new Editing('w', 'a');
    const looked = editing.look();
    server.asked[0]!.answer(agent(1, 'Before'));
    await looked;
    return editing;
  };

  it('is not waited for once its page was left', async () => {
    const editing = await opened();
    const looked = editing.look();
    editing.leave();
    expect(server.asked[1]!.signal.aborted).toBe(true);
    server.asked[1]!.answer(agent(2, 'Late'));
    await looked;
    expect(editing.newest?.name).toBe('Before');
  });

  it('keeps what was saved when an older answer comes late', async () => {
    const editing = await opened();
    const looked = editing.look();
    editing.draft.name = 'After';
    server.saved = agent(2, 'After');
    await editing.save();
    server.asked[1]!.answer(agent(1, 'Before'));
    await looked;
    expect([editing.draft.name, editing.newest?.version]).toEqual(['After', 2]);
  });

  it('shows the answer to the newest question', async () => {
    const editing = await opened();
    const both = [editing.look(), editing.look()];
    server.asked[2]!.answer(agent(3, 'Newest'));
    server.asked[1]!.answer(agent(2, 'Older'));
    await Promise.all(both);
    expect(editing.draft.name).toBe('Newest');
  });
});
