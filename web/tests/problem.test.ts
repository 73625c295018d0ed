import { describe, expect, it } from 'vitest';
import { Problem } from '../src/lib/api/problem';

const response = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers });

describe('a problem', () => {
  it('is what the server says', () => {
    const problem = Problem.from({ code: 'loginTaken', message: 'Taken.', traceId: 't1', details: {} }, response(409));
    expect([problem.code, problem.message, problem.traceId, problem.status, problem.field]).toEqual(['loginTaken', 'Taken.', 't1', 409, 'login']);
  });

  it('knows its field, as the server names it', () => {
    expect(Problem.from({ code: 'invalidInput', details: { field: 'slug' } }, response(422)).field).toBe('slug');
    expect(Problem.from({ code: 'invalidInput', details: { fields: [{ field: 'body.display_name' }] } }, response(422)).field).toBe('displayName');
    expect(Problem.from({ code: 'forbidden' }, response(403)).field).toBeUndefined();
  });

  it('knows all its fields', () => {
    const details = { fields: [{ field: 'body.display_name' }, { field: 'body.login' }, {}] };
    expect(Problem.from({ code: 'invalidInput', details }, response(422)).fields).toEqual(['displayName', 'login']);
    expect(Problem.from({ code: 'slugTaken' }, response(409)).fields).toEqual(['slug']);
    expect(Problem.from({ code: 'nameTaken', details: { field: 'name' } }, response(409)).fields).toEqual(['name']);
  });

  it('takes the time to wait from the header', () => {
    expect(Problem.from({ code: 'tooManyAttempts' }, response(429, { 'Retry-After': '30' })).details['retryAfter']).toBe(30);
  });

  it('is read from the status when something in between answered', () => {
    expect(Problem.from('<html>', response(502)).code).toBe('network');
    expect(Problem.from(undefined, response(401)).code).toBe('unauthenticated');
    expect(Problem.from(undefined, response(418)).code).toBe('unexpected');
  });
});
