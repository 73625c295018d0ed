import { describe, expect, it } from 'vitest';
import { blank, type CallItem, type RunView } from '../src/lib/run/reduce';
import { shownWidgets, widgetOf } from '../src/lib/widgets/widgets';

function call(id: string, type: string, status: 'ok' | 'error' = 'ok'): CallItem {
  const result = { status, message: '', actions: [{ type, payload: {} }], untrusted: false, private: false };
  return { kind: 'call', id, tool: 't', arguments: {}, result, durationMs: 1 };
}

function run(...items: CallItem[]): RunView {
  return { ...blank('r'), items };
}

describe('the widget of a call', () => {
  it('is the one whose component there is', () => {
    expect(widgetOf(call('a', 'roadmap'))?.type).toBe('roadmap');
    expect(widgetOf(call('a', 'openFile'))).toBeUndefined();
    expect(widgetOf(call('a', 'roadmap', 'error'))).toBeUndefined();
    expect(widgetOf({ ...call('a', 'roadmap'), result: null })).toBeUndefined();
  });
});

describe('widgets on the screen', () => {
  it('a later one takes the place of an earlier one of its kind', () => {
    const first = run(call('a', 'roadmap'), call('b', 'checklist'));
    const second = run(call('c', 'roadmap'));
    expect([...shownWidgets([first, second], [second])]).toEqual(['b', 'c']);
  });

  it('suggestions go with the last answer', () => {
    const first = run(call('a', 'suggestions'));
    expect([...shownWidgets([first], [first])]).toEqual(['a']);
    expect([...shownWidgets([first, run()], [run()])]).toEqual([]);
  });
});
