import { describe, expect, it } from 'vitest';
import { allows } from '../src/lib/access';
import { allowsNothing, levelsOf, rulesOf } from '../src/lib/dialogs/rules';
import type { Rule } from '../src/lib/api/types';

const rule = (objectKey: string, action: string, level: Rule['level']) => ({ objectKey, action, level }) as Rule;

describe('rules as a table', () => {
  it('come back as they were', () => {
    const rules = [rule('data.user', 'read', 'GROUP'), rule('service.agent', 'use', 'ALL')];
    expect(rulesOf(levelsOf(rules))).toEqual(rules);
  });

  it('need none for what is not allowed', () => {
    expect(rulesOf({ 'data.user read': 'NONE', 'data.user update': 'MY' })).toEqual([rule('data.user', 'update', 'MY')]);
  });

  it('keep what takes something away from a wider rule', () => {
    const rules = [rule('provider.*', 'use', 'ALL'), rule('provider.openai', 'use', 'NONE')];
    expect(rulesOf(levelsOf(rules))).toEqual(rules);
  });
});

describe('a role that allows nothing', () => {
  it('is one without rules, or with refusals only', () => {
    expect(allowsNothing({})).toBe(true);
    expect(allowsNothing({ 'data.user read': 'NONE' })).toBe(true);
    expect(allowsNothing({ 'data.user read': 'NONE', 'data.user update': 'MY' })).toBe(false);
  });
});

describe('what somebody may do', () => {
  it('needs the level that makes it useful', () => {
    expect(allows({ 'data.user': { update: 'MY' } }, 'changePeople')).toBe(false);
    expect(allows({ 'data.user': { update: 'GROUP' } }, 'changePeople')).toBe(true);
    expect(allows({ 'data.token': { create: 'MY' } }, 'createTokens')).toBe(true);
    expect(allows({}, 'seeAudit')).toBe(false);
  });
});
