import { beforeEach, describe, expect, it } from 'vitest';
import de from '../src/lib/i18n/de.json';
import en from '../src/lib/i18n/en.json';
import fr from '../src/lib/i18n/fr.json';
import zh from '../src/lib/i18n/zh.json';
import { askedOf, auditPath, csvAddress, readFilters } from '../src/lib/audit/filters';
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
    expect(auditText({ action: 'model.priceChanged', details: { model: 'gpu/qwen3' } })).toBe('Price of a model changed: gpu/qwen3');
    expect(auditText({ action: 'model.chainChanged', details: { operation: 'RERANK' } })).toBe('Order of models changed: Order of hits');
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

describe('what of the log is looked at', () => {
  it('can be what no person did', () => {
    const filters = readFilters('?userId=system');
    expect(readFilters(auditPath(filters).split('?')[1] ?? '')).toEqual(filters);
    expect(askedOf(filters)).toEqual({ system: true });
    expect(csvAddress(filters, '', 'desc', 'UTC')).toBe('/api/audit/csv?system=true&order=desc&timeZone=UTC');
  });

  const userId = '01920000-0000-7000-8000-000000000000';

  it('is kept by the address, and what makes no sense in it is left out', () => {
    const filters = readFilters(`?userId=${userId}&kind=file&from=2026-03-01&to=2026-03-02`);
    expect(readFilters(auditPath(filters).split('?')[1] ?? '')).toEqual(filters);
    expect(readFilters('?userId=x&kind=moon&from=yesterday')).toEqual({ userId: '', kind: '', from: '', to: '' });
    expect(auditPath(readFilters(''))).toBe('/settings/audit');
  });

  it('asks for whole days of the browser’s time zone, both included', () => {
    const { from, to } = askedOf(readFilters('?from=2026-03-01&to=2026-03-02'));
    expect([new Date(from!), new Date(to!)]).toEqual([new Date(2026, 2, 1), new Date(2026, 2, 3)]);
  });

  it('is exported as it is shown', () => {
    const address = new URL(csvAddress(readFilters('?kind=file'), 'plan b', 'desc', 'Europe/Zurich'), 'http://here');
    expect([address.pathname, Object.fromEntries(address.searchParams)]).toEqual(['/api/audit/csv', { kind: 'file', q: 'plan b', order: 'desc', timeZone: 'Europe/Zurich' }]);
  });
});
