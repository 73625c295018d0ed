import { beforeEach, describe, expect, it } from 'vitest';
import de from '../src/lib/i18n/de.json';
import en from '../src/lib/i18n/en.json';
import fr from '../src/lib/i18n/fr.json';
import zh from '../src/lib/i18n/zh.json';
import { i18n } from '../src/lib/i18n/index.svelte';
import deLater from '../src/lib/i18n/later/de.json';
import enLater from '../src/lib/i18n/later/en.json';
import frLater from '../src/lib/i18n/later/fr.json';
import zhLater from '../src/lib/i18n/later/zh.json';
import { auditFacts } from '../src/lib/panels/auditFacts';
import { auditText } from '../src/lib/panels/auditText';

const removed = { action: 'member.removed', details: { login: 'mia@example.org', workspace: 'Offerten' } };

beforeEach(() => {
  i18n.messages = { ...en, ...enLater };
});

describe('an entry of the audit log', () => {
  it('says whom it was about, and where', () => {
    expect(auditText(removed)).toBe('Member removed: mia@example.org (Offerten)');
    expect(auditText({ action: 'role.created', details: { name: 'Planning' } })).toBe('Role created: Planning');
    expect(auditText({ action: 'session.opened', details: { how: 'link' } })).toBe('Signed in');
  });

  it('tells suspending from other changes', () => {
    const text = (details: Record<string, unknown>) => auditText({ action: 'user.updated', details: { login: 'anna', ...details } });
    expect(text({ status: 'suspended' })).toBe('Person suspended: anna');
    expect(text({ status: 'active' })).toBe('Person reactivated: anna');
    expect(text({ display_name: 'Anna' })).toBe('Person changed: anna');
  });

  it('is set as the language sets it', () => {
    i18n.messages = { ...fr, ...frLater };
    expect(auditText(removed)).toMatch(/^\S.*\u00a0: mia@example\.org \(Offerten\)$/);
    i18n.messages = { ...zh, ...zhLater };
    expect(auditText(removed)).toBe('已移除成员：mia@example.org（Offerten）');
  });

  it('shows what it has no words for', () => {
    expect(auditText({ action: 'moon.landed', details: {} })).toBe('moon.landed');
    expect(auditFacts({ details: { crater: [1, 2] } })).toEqual([{ name: 'crater', value: '[1,2]' }]);
  });

  it('names its details', () => {
    i18n.messages = { ...de, ...deLater };
    const details = { login: 'anna', display_name: 'Anna', sessionsEnded: 2 };
    expect(auditFacts({ details }).map(({ name, value }) => `${name} ${value}`)).toEqual(['Login anna', 'Name Anna', 'Beendete Sitzungen 2']);
  });
});
