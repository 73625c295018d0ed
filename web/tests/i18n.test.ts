import { describe, expect, it } from 'vitest';
import deFirst from '../src/lib/i18n/de.json';
import enFirst from '../src/lib/i18n/en.json';
import frFirst from '../src/lib/i18n/fr.json';
import ptFirst from '../src/lib/i18n/pt.json';
import zhFirst from '../src/lib/i18n/zh.json';
import deLater from '../src/lib/i18n/later/de.json';
import enLater from '../src/lib/i18n/later/en.json';
import frLater from '../src/lib/i18n/later/fr.json';
import ptLater from '../src/lib/i18n/later/pt.json';
import zhLater from '../src/lib/i18n/later/zh.json';
import { fill, joined, money, pickLanguage, plural, relative, span, wait } from '../src/lib/i18n/format';
import { KINDS as AUDIT_KINDS } from '../src/lib/audit/filters';
import { SCOPES } from '../src/lib/budgets/limits';
import { FILE_EDITS, FORCINGS, STRATEGIES } from '../src/lib/agents/draft';
import { AGES } from '../src/lib/chat/byDate';
import { STATUSES as CONVERSATION_STATUSES } from '../src/lib/chat/listQuery';
import { PERIODS, PURPOSES } from '../src/lib/costs/filters';
import { STATUSES, TYPES, VISIBILITIES } from '../src/lib/files/view';
import { CHECKS, STATES } from '../src/lib/evaluations/rates';
import { READERS } from '../src/lib/knowledge/readers';
import { WORDLESS } from '../src/lib/knowledge/wordless';
import { FIELDS } from '../src/lib/catalogue/fields';
import { DEGREES, HANDLINGS, TEMPLATES } from '../src/lib/catalogue/types';
import { KINDS } from '../src/lib/memory/groups';
import { SCOPES as LEVELS } from '../src/lib/instructions/server';
import { SETTINGS } from '../src/lib/router';
import { LISTS } from '../src/lib/studio/personas/draft';
import { SECTIONS } from '../src/lib/trace/promptSections';
import { beforeLater, sources } from './sources';

type Texts = Record<string, string>;
const first: Record<string, Texts> = { de: deFirst, en: enFirst, fr: frFirst, pt: ptFirst, zh: zhFirst };
const later: Record<string, Texts> = { de: deLater, en: enLater, fr: frLater, pt: ptLater, zh: zhLater };
const languages = Object.fromEntries(Object.keys(first).map((language): [string, Texts] => [language, { ...first[language], ...later[language] }]));
const en = languages['en']!;
const others = Object.entries(languages).filter(([language]) => language !== 'en');
const keys = Object.keys(en);

const OPERATIONS = ['AGENT', 'DATA_ANALYSE', 'VISION', 'EMBEDDING', 'RERANK', 'SPEECH'];

// Keys made at run time: their family and its members.
const FAMILIES: Record<string, readonly string[]> = {
  settings: SETTINGS,
  promptSection: SECTIONS,
  theme: ['light', 'dark', 'system'],
  forcing: FORCINGS,
  strategy: STRATEGIES,
  imported: ['toolSets', 'toolNames', 'trustedTools', 'handsTo'],
  instructionsFor: LEVELS,
  instructionsText: LEVELS,
  entity: KINDS,
  entitySource: ['tool', 'extraction', 'conversation', 'summary'],
  age: AGES,
  doing: 'queued reading model thinking writing tools retry retryBusy retryUnreachable otherModel modelReading budget'.split(' '),
  conversationStatus: CONVERSATION_STATUSES,
  step: ['pending', 'running', 'undone', 'ok', 'needs_user_choice', 'needs_clarification', 'error'],
  intent: ['goto_address', 'goto_coordinate', 'load_layer', 'remove_layer', 'oereb_extract', 'clear_map', 'search_place', 'zoom_map', 'question'],
  searchGap: ['failed', 'slow', 'older'],
  readers: READERS,
  wordless: WORDLESS,
  act: ['read', 'create', 'update', 'delete', 'use'],
  level: ['NONE', 'MY', 'GROUP', 'ALL'],
  object: ['data.mandate', 'data.user', 'data.role', 'data.instance', 'data.member', 'data.conversation', 'data.agent', 'data.skill', 'data.note', 'data.todo', 'data.company', 'data.file', 'data.folder', 'data.private', 'data.model', 'data.token', 'data.session', 'data.audit', 'data.budget', 'data.usage', 'service.agent', 'provider.*', 'model.*'],
  role: ['admin', 'member', 'reader'],
  roleText: ['admin', 'member', 'reader'],
  limit: SCOPES,
  mine: SCOPES,
  period: PERIODS,
  purpose: PURPOSES,
  outcome: ['answered', 'failed', 'lost'],
  state: ['queued', 'running', 'paused', 'completed', 'maxRoundsReached', 'budgetExceeded', 'stopped', 'error'],
  visibility: VISIBILITIES,
  fileStatus: STATUSES,
  blockStatus: ['empty', 'draft', 'needsReview', 'final'],
  documentStatus: ['empty', 'draft', 'final'],
  fileType: TYPES,
  fileEdits: FILE_EDITS,
  uploadStatus: ['waiting', 'stalled', 'failed', 'cancelled'],
  auditKind: AUDIT_KINDS,
  evaluationState: STATES,
  mailKind: ['invitation', 'reset', 'passwordChanged'],
  marker: CHECKS,
  signedOut: ['expired', 'sessionEnded', 'suspended'],
  catalogueField: FIELDS,
  catalogueState: ['shipped', 'changed', 'added', 'removed'],
  catalogueOrigin: ['edit', 'file'],
  catalogueFault: 'notJson shape unknownField missing unknownValue twice noStrategy noPrice amount tokens window name otherName label since vectors none tooMany'.split(' '),
  team: ['specialists'],
  teamText: ['specialists'],
  skillRule: ['name', 'description', 'instructions', 'parameters', 'examples', 'files'],
  template: TEMPLATES,
  degree: DEGREES,
  handling: HANDLINGS,
  personaList: LISTS,
  deletedKind: ['group', 'block', 'persona'],
  phaseState: ['pending', 'active', 'done'],
  siteLimit: ['pages', 'bytes', 'time'],
  chartKind: ['bar', 'line', 'area', 'scatter', 'pie'],
  operation: OPERATIONS,
  operationText: OPERATIONS,
  invalid: ['login', 'slug', 'name', 'displayName', 'baseUrl', 'key', 'models', 'autoRule', 'glyph', 'instructions', 'handsTo', 'languages', 'recipient', 'contact', 'priceCHF', 'website', 'phases'],
  error: 'required notAnAgent agentBuiltin agentChanged agentExists agentGone instructionsChanged network fileGone unexpected configuration alreadyRunning databaseUnavailable unauthenticated sessionRequired forbidden notFound methodNotAllowed invalidInput conflict pauseConsumed documentUnreadable documentUnsupported documentEncrypted documentDamaged documentTooLarge containerLimit ocrUnavailable beyondWorkspace notForAllReaders foldersOfOthers sharingRefused promotionRefused noModel tooLarge storageFull storageUnavailable quotaExceeded uploadOffset uploadBusy uploadDamaged fileExists contentMissing fileLinkInvalid bulkRefused notInTrash tooSlow tooManyRequests tooManyAttempts outgoingRefused outgoingFailed geoServiceFailed mapFull choiceExpired skillChanged skillExists skillPrivate skillTooLong skillUnread skillValueTooLong stillRunning modelFailed answerLost embeddingChanged budgetExceeded modelUnknown modelForbidden catalogueProblems catalogueChanged catalogueLater keyRefused noModelList privateAddress unsafePath linkInvalid wrongCredentials mandateChoice weakPassword lastAdmin loginTaken slugTaken nameTaken roleInUse roleBuiltin notArchived suspended originRefused hostRefused textQuotaExceeded tooManyStreams privateForbidden rightsChanged modelKeyRefused modelDenied modelNotFound modelQuota modelBusy modelUnavailable modelTimedOut modelUnreachable modelNotUnderstood modelBrokeOff modelRepeats modelRefused modelTooLong addressUnreachable noSuchModel noModelsThere documentNotMade noEmbeddings noReranking providerUnreachable commonPassword personalPassword patternPassword noMailServer mailUnreachable mailTls mailSignInRefused mailSenderRefused mailRecipientRefused mailRefused mailDelayed mailTimedOut mailBrokeOff mailUnopenable searchKeyRefused searchBusy searchUnavailable searchNoJson noWebSearch privateSearchForbidden companyChanged documentChanged nothingToExport projectChanged personaChanged profileChanged blockChanged phaseIncomplete blockNeeded dependencyCycle tooManyBlocks blockTooLong nothingWritten fileChanged fileNotText textTooLong nameNotText'.split(' '),
  fact: 'login agent name visibility before persons reason files displayName status role roleId workspace slug theme language how sessionsEnded perRun perWorkflow perUser perMandate model models operation price chfPerUsd revision count contact recipient'.split(' '),
  did: 'mandate.created mandate.updated user.created user.updated user.updated.suspended user.updated.active user.deleted user.linkCreated user.passwordChanged role.created role.updated role.deleted instance.created instance.updated instance.deleted conversation.created conversation.updated conversation.deleted conversation.restored conversation.purged conversation.archived conversation.unarchived conversation.shared conversation.inspected conversation.agentSwitched agent.created agent.updated agent.shared agent.deleted agent.restored skill.created skill.updated skill.shared skill.deleted skill.restored mandate.instructed instance.instructed user.instructed memory.forgotten inspection.began inspection.ended file.inspected file.shared file.deleted file.restored file.purged folder.deleted folder.restored member.put member.removed token.created token.revoked model.providerAdded model.providerUpdated model.providerRemoved model.providerTested model.chainChanged model.priceChanged model.rateChanged model.catalogueChanged model.catalogueUndone evaluation.started evaluation.stopped evaluation.removed session.opened session.ended budget.updated budget.removed user.resetRequested mandate.mailTested webSearch.updated webSearch.removed'.split(' '),
};
const made = Object.entries(FAMILIES).flatMap(([family, members]) => members.map((member) => `${family}.${member}`));

const base = (key: string) => key.replace(/\.(one|other)$/, '');
const usedIn = (text: string) => new Set([...text.matchAll(/'([a-zA-Z]+(?:\.[\w*]+)+)'/g)].map((hit) => hit[1]));
const familiesIn = (text: string) => [...text.matchAll(/\bt(?:Maybe)?\(`(\w+)\.\$\{/g)].map((hit) => hit[1]!);

// Whoever needs one of these fetches it: nothing of it is drawn with the first page.
const AWAITED = ['error', 'invalid'];

describe('texts', () => {
  it.each(others)('%s has exactly the keys of English', (_, texts) => {
    expect(Object.keys(texts).sort()).toEqual([...keys].sort());
  });

  it.each(Object.keys(languages))('%s keeps the same texts for later', (language) => {
    expect(Object.keys(later[language]!).sort()).toEqual(Object.keys(enLater).sort());
    expect(Object.keys(first[language]!).filter((key) => key in later[language]!)).toEqual([]);
  });

  it('shows nothing of later before it is fetched, and carries nothing to the first page that only comes later', () => {
    const text = beforeLater().join('\n');
    const used = usedIn(text);
    const families = familiesIn(text).filter((family) => !AWAITED.includes(family));
    const isUsed = (key: string) => used.has(base(key)) || families.includes(key.split('.')[0]!);
    expect(Object.keys(enLater).filter(isUsed)).toEqual([]);
    expect(Object.keys(enFirst).filter((key) => !isUsed(key))).toEqual([]);
  });

  it.each(Object.entries(languages))('%s has no empty text', (_, texts) => {
    expect(Object.entries(texts).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it.each(others)('%s has the placeholders of English', (_, texts) => {
    const holes = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    expect(keys.filter((key) => holes(texts[key]).join() !== holes(en[key]).join())).toEqual([]);
  });

  it('has a text for everything made at run time', () => {
    expect(made.filter((key) => !(key in en))).toEqual([]);
  });

  it('has no text that no page uses', () => {
    const literal = usedIn(sources().map(({ text }) => text).join('\n'));
    expect(keys.filter((key) => !literal.has(base(key)) && !made.includes(key))).toEqual([]);
  });

  it('uses no family of keys that is not listed here', () => {
    const used = sources().flatMap(({ text }) => familiesIn(text));
    expect([...new Set(used)].sort()).toEqual(Object.keys(FAMILIES).sort());
  });

  it('writes German as in Switzerland', () => {
    expect(Object.values(languages['de']!).filter((text) => text.includes('ß'))).toEqual([]);
  });
});

describe('format', () => {
  it('fills in what it gets and shows what is missing', () => {
    expect(fill('{a} and {b}', { a: 1 })).toBe('1 and {b}');
  });

  it('chooses plurals by the rules of the language', () => {
    const messages = { 'n.one': 'one', 'n.other': 'other' };
    expect(plural(messages, 'en', 'n', 0)).toBe('other');
    expect(plural(messages, 'fr', 'n', 0)).toBe('one');
    expect(plural(messages, 'fr', 'n', 1_000_000)).toBe('other');
    expect(plural(messages, 'zh', 'n', 1)).toBe('other');
  });

  it('begins with the first preferred language it speaks', () => {
    expect(pickLanguage(['rm-CH', 'de-CH', 'en'], ['en', 'de'], 'en')).toBe('de');
    expect(pickLanguage(['ja'], ['en', 'de'], 'en')).toBe('en');
  });

  it('says how long to wait in a unit one can picture', () => {
    expect(wait(1, 'en')).toBe('1 second');
    expect(wait(90, 'de-CH')).toBe('90 Sekunden');
    expect(wait(91, 'fr-CH')).toBe('2 minutes');
    expect(wait(900, 'pt-BR')).toBe('15 minutos');
  });

  it.each([
    [0, 'CHF 0.00'],
    [0.00004, 'CHF 0.00004'],
    [0.003_149, 'CHF 0.0031'],
    [0.15, 'CHF 0.15'],
    [0.151_26, 'CHF 0.1513'],
    [1234.5, 'CHF 1,234.50'],
  ])('shows small amounts of money as exactly as they are small: %d', (amount, text) => {
    expect(money(amount, 'en-GB').replace('\u00a0', ' ')).toBe(text);
  });

  it.each([
    [1, 'en-GB', '1\u202fms'],
    [1, 'de-CH', '1\u202fms'],
    [400, 'fr-CH', '0,4\u202fs'],
    [12_345, 'pt-BR', '12\u202fs'],
    [200_000, 'de-CH', '3.3\u202fmin'],
    [400, 'zh-CN', '0.4秒'],
  ])('writes %d ms in %s with one kind of space', (ms, locale, text) => {
    expect(span(ms, locale)).toBe(text);
  });

  it('puts a narrow space before units and percent signs, wherever a language has another or none', () => {
    expect(['1ms', '2 MB', '3\u00a0%', '91%'].map(joined)).toEqual(['1\u202fms', '2\u202fMB', '3\u202f%', '91\u202f%']);
    expect(joined('12秒')).toBe('12秒');
    expect(Object.values(languages).flatMap((texts) => Object.values(texts)).filter((text) => /[\d}][ \u00a0]?%|\} (?:k?m|m²)$/.test(text))).toEqual([]);
  });

  it('says how long ago', () => {
    expect(relative(-3 * 86_400, 'en')).toBe('3 days ago');
    expect(relative(-86_400, 'de')).toBe('gestern');
    expect(relative(-20, 'en')).toBe('now');
    expect(relative(7_200, 'en')).toBe('in 2 hours');
  });
});
