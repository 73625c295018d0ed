import { describe, expect, it, vi } from 'vitest';
import type { ConversationRef, StoredFile } from '../src/lib/api/types';
import { isShared, whyReadOnly } from '../src/lib/chat/sharing';
import { otherAuthor, turnsOf } from '../src/lib/chat/turns';
import type { Message } from '../src/lib/api/types';
import { mayFile, maySharePersons, maySharing } from '../src/lib/files/may';
import { isRunning } from '../src/lib/privacy/running';
import { people } from '../src/lib/sharing/people.svelte';

const session = vi.hoisted(() => ({ data: {} as unknown }));
vi.mock('../src/lib/state/session.svelte', () => ({ session }));

describe('a conversation with several readers', () => {
  const private_: Pick<ConversationRef, 'ownerId' | 'visibility' | 'groupWrites' | 'sharedWith'> = { ownerId: 'anna', visibility: 'MY', groupWrites: false, sharedWith: [] };
  const withBob = (mayWrite: boolean) => ({ ...private_, sharedWith: [{ userId: 'bob', mayWrite }] });
  const withAll = (groupWrites: boolean) => ({ ...private_, visibility: 'GROUP' as const, groupWrites });

  it('is shared with single persons or with the workspace', () => {
    expect([private_, withBob(false), withAll(false)].map(isShared)).toEqual([false, true, true]);
  });

  it('says why somebody cannot write in it', () => {
    expect([private_, withBob(false), withAll(false)].map((one) => whyReadOnly(one, 'bob'))).toEqual(['inspector', 'reader', 'reader']);
    expect([withBob(true), withAll(true)].map((one) => whyReadOnly(one, 'bob'))).toEqual(['role', 'role']);
    expect(whyReadOnly(private_, 'anna')).toBe('role');
  });

  it('names the author of what somebody else has said', () => {
    const said = (id: string, authorId: string | null, authorName: string | null): Message => ({ id, role: 'user', parts: [], parentId: null, runId: null, createdAt: '', authorId, authorName });
    const turns = turnsOf({ messages: [said('1', 'anna', 'Anna'), said('2', 'bob', 'Bob'), said('3', null, null)], runs: [], branchings: [] });
    expect(turns.map((turn) => otherAuthor(turn, 'bob'))).toEqual(['Anna', undefined, null]);
    expect(otherAuthor({}, 'bob')).toBeUndefined(); // just sent: the server has not said so yet
  });
});

describe('the user', () => {
  it('is “me” alone, and has a name within a sentence', () => {
    session.data = { user: { id: 'me', displayName: 'Anna' } };
    expect([people.name('me') === people.fullName('me'), people.fullName('me'), people.fullName('bob')]).toEqual([false, 'Anna', '']);
  });
});

describe('what somebody may do with a file', () => {
  const file = (visibility: StoredFile['visibility'], ownerId = 'me', sharedWith: string[] = []) => ({ visibility, ownerId, sharedWith }) as StoredFile;
  const as = (level: string) => {
    session.data = { user: { id: 'me' }, permissions: { 'data.file': { update: level } } };
  };

  it('never reaches what is private to somebody else, whatever the level', () => {
    const all = [file('MY'), file('GROUP'), file('GROUP', 'other'), file('MY', 'other'), file('MY', 'other', ['me']), file('ALL')];
    const changes = (level: string) => (as(level), all.map((one) => mayFile('update', one)));
    expect(changes('NONE')).toEqual([false, false, false, false, false, false]);
    expect(changes('MY')).toEqual([true, true, false, false, false, false]);
    expect(changes('GROUP')).toEqual([true, true, true, false, false, false]);
    expect(changes('ALL')).toEqual([true, true, true, false, false, true]);
  });

  it('is sharing what is one’s own, and with everybody by level', () => {
    as('MY');
    expect([file('MY'), file('GROUP', 'other'), file('ALL')].map(maySharing)).toEqual([['MY', 'GROUP'], [], []]);
    as('ALL');
    expect([file('MY'), file('GROUP', 'other'), file('MY', 'other'), file('ALL', 'other')].map(maySharing)).toEqual([['MY', 'GROUP', 'ALL'], ['ALL'], [], ['MY', 'GROUP', 'ALL']]);
  });

  it('is sharing with persons if all are one’s own and shared with the same', () => {
    as('GROUP');
    expect(maySharePersons([file('MY', 'me', ['a']), file('GROUP', 'me', ['a'])])).toBe(true);
    expect(maySharePersons([file('MY', 'me', ['a']), file('MY')])).toBe(false);
    expect(maySharePersons([file('GROUP', 'other')])).toBe(false);
  });
});

describe('an inspection', () => {
  const one = { inspectorId: 'anna', subjectId: 'bob', endsAt: '2026-01-01T10:00:00Z' };
  const before = Date.parse('2026-01-01T09:59:00Z');

  it('goes on for the two it concerns, until its end', () => {
    expect(['anna', 'bob', 'eve', undefined].map((id) => isRunning(one, id, before))).toEqual([true, true, false, false]);
    expect(isRunning(one, 'bob', before + 60_000)).toBe(false);
    expect(isRunning({ ...one, inspectorId: null }, undefined, before)).toBe(false); // who looked is gone, nobody is signed in
  });
});
