/** A trace in time. */
import { describe, expect, it } from 'vitest';
import type { Trace } from '../src/lib/api/types';
import { inOrder } from '../src/lib/trace/promptSections';
import { layOut, type ModelCall, type ToolCall } from '../src/lib/trace/waterfall';

const BEGUN = Date.parse('2026-11-15T10:00:00Z');
const time = (second: number) => new Date(BEGUN + second * 1000).toISOString();
const call = (from: number, to: number, outcome = 'answered'): ModelCall => ({
  purpose: 'round', attempt: 1, provider: 'p', aiModel: 'm', outcome, startedAt: time(from), durationMs: (to - from) * 1000,
  inputTokens: 1, outputTokens: 1, cachedTokens: 0, sections: {}, costCHF: '0', assumed: false, implausible: false,
});
const tool = (seconds: number | null): ToolCall => ({ callId: 'c', toolName: 'writeNote', args: {}, success: seconds === null ? null : true, durationMs: seconds === null ? null : seconds * 1000, error: null, asText: false });
const round = (roundNumber: number, attempts: ModelCall[], toolCalls: ToolCall[] = []): Trace['rounds'][number] => ({
  roundNumber, aiModel: 'm', inputTokens: 1, outputTokens: 1, costCHF: '0', durationMs: 0, attempts, toolCalls,
});
const trace = (rounds: Trace['rounds'], end: number, otherCalls: ModelCall[] = []): Trace => ({
  runId: 'r', workflowId: 'w', userId: 'u', featureInstanceId: 'i', startedAt: time(0), completedAt: time(end), status: 'completed',
  totalRounds: rounds.length, totalToolCalls: 0, totalCostCHF: '0', costAssumed: false, abortReason: null, rounds, otherCalls,
});
const places = (laid: ReturnType<typeof layOut>) => laid.map(({ lines }) => lines.map(({ at, width }) => [at, width]));

it('names what a request was made of in the order in which it is read', () => {
  expect(inOrder({ tools: 2, facts: 3, instructions: 1, conversation: 4, unknown: 5 })).toEqual([['instructions', 1], ['tools', 2], ['facts', 3], ['conversation', 4]]);
});

describe('a waterfall', () => {
  it('puts attempts where they were, and tools after the one that asked for them', () => {
    const laid = layOut(trace([round(1, [call(0, 1, 'failed'), call(1, 4)], [tool(1), tool(1)]), round(2, [call(6, 10)])], 10));
    expect(places(laid)).toEqual([[[0, 0.1], [0.1, 0.3], [0.4, 0.1], [0.5, 0.1]], [[0.6, 0.4]]]);
    expect(laid.map(({ waitedMs }) => waitedMs)).toEqual([0, 0]);
  });

  it('puts tools side by side that cannot have run one after the other', () => {
    const [first] = places(layOut(trace([round(1, [call(0, 4)], [tool(2), tool(2)]), round(2, [call(6, 10)])], 10)));
    expect(first).toEqual([[0, 0.4], [0.4, 0.2], [0.4, 0.2]]);
  });

  it('cuts a long wait short and says how long it was', () => {
    const laid = layOut(trace([round(1, [call(0, 5)], [tool(null)]), round(2, [call(3605, 3610)])], 3610));
    expect(laid[1]?.waitedMs).toBe(3_600_000);
    expect(places(laid)).toEqual([[[0, 0.4], [0.4, null]], [[0.6, 0.4]]]);
  });

  it('shows calls beside the rounds at their time', () => {
    const laid = layOut(trace([round(1, [call(1, 4)])], 4, [call(0, 1)]));
    expect(laid.map(({ round: found }) => found?.roundNumber ?? null)).toEqual([1, null]);
    expect(places(laid)[1]).toEqual([[0, 0.25]]);
  });

  it('survives a run that has done nothing, and one without a ledger', () => {
    expect(layOut(trace([], 0))).toEqual([]);
    expect(places(layOut(trace([round(1, [], [tool(0)])], 0)))).toEqual([[[0, 0]]]);
  });
});
