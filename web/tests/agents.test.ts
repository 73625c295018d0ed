/** Agents, as far as no browser is needed: where a thread says who took over, drafts of agents and of instructions. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Conversation, Message, Run } from '../src/lib/api/types';
import { asText } from '../src/lib/agents/asText';
import { contentOf, draftOf, onTop, wrongIn, type Draft } from '../src/lib/agents/draft';
import { firstSentence } from '../src/lib/tools/sentence';
import { mayAgent, maySharing } from '../src/lib/agents/may';
import type { Agent, AgentContent, AgentSwitch } from '../src/lib/agents/types';
import { changedFields } from '../src/lib/editing/changedFields';
import { linesOf } from '../src/lib/chat/agents/lines';
import { handOn, runsOf, turnsOf } from '../src/lib/chat/turns';
import { Writing } from '../src/lib/instructions/writing.svelte';
import { match } from '../src/lib/router';
import { blank, reduce } from '../src/lib/run/reduce';

// The real one needs a window.
const session = vi.hoisted(() => ({ data: {} }));
vi.mock('../src/lib/state/session.svelte', () => ({ session }));

const AT = '2026-01-01T00:00:00Z';

describe('who took over from whom', () => {
  const said = (id: string, runId: string | null = null) => ({ id, role: runId ? ('assistant' as const) : ('user' as const), runId });
  const thread = [said('u1'), said('a1', 'r1'), said('u2'), said('a2', 'r2'), said('b2', 'r3')];
  const change = (seq: number, afterMessageId: string | null, more: Partial<AgentSwitch> = {}): AgentSwitch => ({
    seq, kind: 'user', fromAgentId: 'A', fromName: 'A', toAgentId: 'B', toName: 'B', reason: '', byUserId: 'me', at: AT, afterMessageId, answeredBy: null, ...more,
  });
  const places = (...history: AgentSwitch[]) => {
    const { above, under, below } = linesOf(history, thread);
    const told = (lines: ReadonlyMap<string, readonly AgentSwitch[]>) => [...lines].map(([key, list]) => [key, ...list.map(({ seq }) => seq)]);
    return { above: told(above), under: told(under), below: told(below) };
  };

  it('stands below the turn in which it was chosen, in order', () => {
    expect(places(change(1, 'a1'), change(2, 'a1'), change(3, 'u2'))).toEqual({ above: [], under: [], below: [['u1', 1, 2], ['u2', 3]] });
  });

  it('stands below the answer of the agent that handed over', () => {
    expect(places(change(1, 'a2', { kind: 'handoff' }))).toEqual({ above: [], under: [['r2', 1]], below: [] });
  });

  it('of another branch stands above its first answer here, or at the end if it is the newest', () => {
    expect(places(change(1, 'elsewhere', { answeredBy: 'a2' }), change(2, 'elsewhere'), change(3, 'elsewhere'))).toEqual({ above: [['u2', 1]], under: [], below: [['u2', 3]] });
  });
});

describe('a question that is handed over', () => {
  const message = (id: string, parentId: string | null, runId: string | null = null): Message => ({ id, role: runId ? 'assistant' : 'user', parentId, runId, createdAt: AT, parts: [], authorId: null, authorName: null });
  const run = (id: string, createdAt = AT, state: Run['state'] = 'completed') => ({ id, messageId: 'u', createdAt, state, rounds: 1 }) as Run;
  const turn = (runs: Run[], ...messages: Message[]) => turnsOf({ messages, runs, branchings: [] } as Pick<Conversation, 'messages' | 'runs' | 'branchings'>)[0]!;

  it('is one turn of several runs, also before the next one has said anything', () => {
    const handed = turn([run('r1'), run('r2', AT, 'running')], message('u', null), message('a', 'u', 'r1'));
    expect(runsOf(handed)).toEqual(['r1', 'r2']);
    expect(handed.runId).toBe('r2');
  });

  it('is not what was answered once more', () => {
    const again = turn([run('r1'), run('r2', '2026-01-01T00:01:00Z')], message('u', null), message('b', 'u', 'r2'));
    expect(runsOf(again)).toEqual(['r2']);
  });

  it('goes on at once when the run says so', () => {
    const event = { type: 'agentSwitched', kind: 'handoff', fromAgentId: 'A', fromName: 'A', toAgentId: 'B', toName: 'B', reason: '', nextRunId: 'r2' } as const;
    const runView = reduce(blank('r1'), { runId: 'r1', seq: 1, attempt: 0, event });
    expect(runView.handedTo).toEqual({ runId: 'r2', agent: { id: 'B', name: 'B' } });
    expect(reduce(blank('r1'), { runId: 'r1', seq: 1, attempt: 0, event: { ...event, kind: 'user', nextRunId: null } }).handedTo).toBeNull();
    expect(handOn([{ messageId: 'u', prompt: '', runId: 'r1' }], 'r1', 'r2')[0]).toMatchObject({ earlier: ['r1'], runId: 'r2' });
  });
});

const CONTENT: AgentContent = {
  name: 'Chef', description: '', glyph: 'C', instructions: { de: null, en: 'Cook.', fr: null, pt: null, zh: null }, toolSets: [], toolNames: [], trustedTools: ['sendMail'], fileEdits: 'ask', strategy: 'react',
  forcing: 'auto', temperature: 0.2, model: null, operation: 'VISION', maxRounds: null, maxCostCHF: '1.2500', language: null, handsTo: [],
};

const changesIn = (draft: Draft, base: AgentContent) => changedFields(contentOf(draftOf(base)), contentOf(draft));

describe('an agent being written', () => {
  it('is unchanged as it is read, however amounts are written', () => {
    expect(changesIn(draftOf(CONTENT), CONTENT)).toEqual({});
    expect(contentOf(draftOf(CONTENT)).maxCostCHF).toBe('1.25');
  });

  it('sends only what was changed, and never what is not written here', () => {
    const draft = { ...draftOf(CONTENT), name: ' Cook ', maxRounds: '7', model: 'a/b' };
    expect(changesIn(draft, CONTENT)).toEqual({ name: 'Cook', maxRounds: 7, model: 'a/b' });
    expect(contentOf(draft)).not.toHaveProperty('intents');
    expect(changesIn({ ...draftOf(CONTENT), strategy: 'plan' }, CONTENT)).toEqual({ strategy: 'plan' });
  });

  it('is trusted with what it was trusted with, and does the kind of work it did, until that is changed', () => {
    expect(contentOf(draftOf(CONTENT))).toMatchObject({ trustedTools: ['sendMail'], operation: 'VISION' });
    expect(changesIn({ ...draftOf(CONTENT), trustedTools: [], operation: '' }, CONTENT)).toEqual({ trustedTools: [], operation: null });
  });

  it('forgets its tools when it takes those of the workspace', () => {
    const picky = { ...CONTENT, toolNames: ['listFiles'] };
    expect(draftOf(picky).picks).toBe(true);
    expect(changesIn({ ...draftOf(picky), picks: false }, picky)).toEqual({ toolNames: [] });
  });

  it('says which fields cannot be sent', () => {
    expect(wrongIn(draftOf(null))).toEqual(['name', 'instructions']);
    expect(wrongIn({ ...draftOf(CONTENT), temperature: '3', maxRounds: '0', maxCostCHF: 'much' })).toEqual(['temperature', 'maxRounds', 'maxCostCHF']);
    expect(wrongIn({ ...draftOf(CONTENT), temperature: '0,5' })).toEqual([]);
  });

  it('goes on top of what somebody else has saved, language by language', () => {
    const mine = draftOf(CONTENT);
    mine.instructions.en = 'Cook well.';
    const newest = { ...CONTENT, name: 'Their name', instructions: { ...CONTENT.instructions, de: 'Koche.' } };
    const changes = onTop(changesIn(mine, CONTENT), CONTENT, newest);
    expect(changes).toEqual({ instructions: { de: 'Koche.', en: 'Cook well.', fr: null, pt: null, zh: null } });
  });

  it('can be read as text, so that versions can be compared', () => {
    const lines = asText({ ...CONTENT, toolNames: ['b', 'a'], handsTo: ['x'] }, () => 'Analyst').split('\n');
    expect(lines).toContain('Cook.');
    expect(lines.filter((line) => line.startsWith('  '))).toEqual(['  a', '  b', '  sendMail', '  Analyst']);
  });
});

describe('what a tool says of itself', () => {
  it('is as long as one sentence', () => {
    expect(firstSentence('Add todos to the list,\none per title; `due` is a date. More.')).toBe('Add todos to the list, one per title.');
    expect(firstSentence('Work out `(3.20 + 4)`\n\nMore.')).toBe('Work out `(3.20 + 4)`');
  });
});

describe('instructions being written', () => {
  beforeEach(() => new Writing('k', { text: '', version: 0 }).adopt({ text: '', version: 0 }));

  it('follow what is stored until something is typed, and then keep what was typed', () => {
    const writing = new Writing('k', { text: 'one', version: 1 });
    writing.take({ text: 'two', version: 2 });
    expect(writing.text).toBe('two');
    writing.text = 'mine';
    writing.take({ text: 'three', version: 3 });
    expect([writing.text, writing.theirs]).toEqual(['mine', { text: 'three', version: 3 }]);
  });

  it('outlive a reload, with the version they were made from', async () => {
    const writing = new Writing('k', { text: 'one', version: 1 });
    writing.text = 'mine';
    writing.keep();
    const again = new Writing('k', { text: 'two', version: 2 });
    expect([again.text, again.theirs?.version]).toEqual(['mine', 2]);
    const sent: number[] = [];
    const send = (text: string, version: number) => (sent.push(version), Promise.resolve({ text, version: version + 1 }));
    await again.save(send, true);
    expect([sent, again.isChanged, again.theirs]).toEqual([[2], false, undefined]);
  });

  it('name the version they were made from when they are saved', async () => {
    const writing = new Writing('k', { text: 'one', version: 4 });
    writing.text = '';
    let sent = 0;
    await writing.save((text, version) => ((sent = version), Promise.resolve({ text, version: version + 1 })));
    expect([sent, writing.isChanged]).toEqual([4, false]);
  });
});

describe('the address of agents', () => {
  it('is the list, one of them, or a new one', () => {
    expect(match('/i/lab/agents')).toEqual({ page: 'agents', slug: 'lab' });
    expect(match('/i/lab/agents/42')).toEqual({ page: 'agents', slug: 'lab', id: '42' });
    expect(match('/i/lab/agents/42/more')).toEqual({ page: 'notFound' });
  });
});

describe('what somebody may do with an agent', () => {
  const agent = (visibility: Agent['visibility'], ownerId: string | null = 'me', builtin = false) => ({ visibility, ownerId, builtin }) as Agent;
  const as = (level: string) => {
    session.data = { user: { id: 'me' }, permissions: { 'data.agent': { create: level, update: level, delete: level } } };
  };

  it('is nothing with shipped ones, whoever one is', () => {
    as('ALL');
    const shipped = agent('ALL', null, true);
    expect([mayAgent('update', shipped), mayAgent('delete', shipped), maySharing(shipped)]).toEqual([false, false, []]);
  });

  it('ends at what is one’s own, or the workspace’s, by level', () => {
    const all = [agent('MY'), agent('GROUP'), agent('GROUP', 'other'), agent('MY', 'other'), agent('ALL')];
    const changes = (level: string) => (as(level), all.map((one) => mayAgent('update', one)));
    expect(changes('NONE')).toEqual([false, false, false, false, false]);
    expect(changes('MY')).toEqual([true, true, false, false, false]);
    expect(changes('GROUP')).toEqual([true, true, true, false, false]);
    expect(changes('ALL')).toEqual([true, true, true, true, true]);
  });

  it('is sharing with everybody only for those who may change all', () => {
    as('MY');
    expect([maySharing(agent('MY')), maySharing(agent('GROUP', 'other')), maySharing(agent('ALL'))]).toEqual([['MY', 'GROUP'], [], []]);
    as('ALL');
    expect(maySharing(agent('ALL', 'other'))).toEqual(['MY', 'GROUP', 'ALL']);
  });
});
