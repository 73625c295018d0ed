/** A trace laid out in time: when each call of a model or a tool was under way, long waits cut short. Pure. */
import type { Trace } from '../api/types';

type Round = Trace['rounds'][number];
export type ModelCall = Round['attempts'][number];
export type ToolCall = Round['toolCalls'][number];

/** `at` and `width` are shares of the whole, 0 to 1; null while unknown. */
export type Line = { at: number; width: number | null } & ({ kind: 'model'; call: ModelCall } | { kind: 'tool'; call: ToolCall });

export interface Stretch {
  /** Without one: calls beside the rounds. */
  round: Round | null;
  /** How long nothing was done before it, where that is cut short in the picture. */
  waitedMs: number;
  lines: Line[];
}

interface Span {
  from: number;
  ms: number | null;
}

// A long wait, such as for a person's answer, would leave no room for the work: it is drawn as a share of that.
const LONG_MS = 3_000;
const LEAST_MS = 250;
const SHARE_OF_WORK = 0.25;

export function layOut(trace: Trace): Stretch[] {
  const begun = Date.parse(trace.startedAt);
  const spans = spansOf(trace, begun);
  const others = trace.otherCalls.map((call) => ({ call, from: Date.parse(call.startedAt), ms: call.durationMs }));
  const axis = axisOf([...spans.flat(), ...others], begun);
  const stretches = trace.rounds.map((round, index): Stretch => {
    const own = spans[index] ?? [];
    const models = round.attempts.map((call, at): Line => ({ kind: 'model', call, ...axis.place(own[at]) }));
    const tools = round.toolCalls.map((call, at): Line => ({ kind: 'tool', call, ...axis.place(own[round.attempts.length + at]) }));
    return { round, waitedMs: axis.waitBefore(own), lines: [...models, ...tools] };
  });
  const beside = others.map(({ call, ...span }): Line => ({ kind: 'model', call, ...axis.place(span) }));
  return beside.length === 0 ? stretches : [...stretches, { round: null, waitedMs: 0, lines: beside }];
}

/** When everything in a round was under way: first its attempts, then its tools. */
function spansOf({ rounds, completedAt }: Trace, begun: number): Span[][] {
  let clock = begun;
  return rounds.map((round, index) => {
    const attempts = round.attempts.map((call): Span => ({ from: Date.parse(call.startedAt), ms: call.durationMs }));
    clock = Math.max(clock, ...attempts.map(endOf));
    const next = rounds[index + 1]?.attempts[0]?.startedAt ?? completedAt;
    const tools = toolSpans(round.toolCalls, clock, next ? Date.parse(next) : Infinity);
    clock = Math.max(clock, ...tools.map(endOf));
    return [...attempts, ...tools];
  });
}

/** Of tools only the time they took is known. One after the other if that fits before what came next, else side by side. */
function toolSpans(calls: readonly ToolCall[], begin: number, next: number): Span[] {
  const all = calls.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  let from = begin;
  return calls.map(({ durationMs }) => {
    const span = { from, ms: durationMs };
    if (begin + all <= next) from += durationMs ?? 0;
    return span;
  });
}

function endOf({ from, ms }: Span): number {
  return from + (ms ?? 0);
}

/** The line of time, without the long waits. */
function axisOf(spans: readonly Span[], begun: number) {
  const known = [...spans].sort((one, other) => one.from - other.from);
  const busy = known.reduce((sum, { ms }) => sum + (ms ?? 0), 0);
  const drawn = Math.max(LEAST_MS, busy * SHARE_OF_WORK);
  const cuts: { at: number; ms: number; cut: number }[] = [];
  let end = begun;
  for (const span of known) {
    const gap = span.from - end;
    if (gap > Math.max(LONG_MS, drawn)) cuts.push({ at: span.from, ms: gap, cut: gap - drawn });
    end = Math.max(end, endOf(span));
  }
  const squeezed = (at: number) => at - begun - cuts.reduce((sum, cut) => sum + (at >= cut.at ? cut.cut : 0), 0);
  const whole = Math.max(1, squeezed(end));
  return {
    place: (span: Span = { from: begun, ms: null }) => ({
      at: Math.min(1, Math.max(0, squeezed(span.from) / whole)),
      width: span.ms === null ? null : span.ms / whole,
    }),
    waitBefore: (own: readonly Span[]) => cuts.find(({ at }) => own.some(({ from }) => from === at))?.ms ?? 0,
  };
}
