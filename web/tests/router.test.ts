import { describe, expect, it } from 'vitest';
import { conversationPath, loginPath, match, safeNext, SETTINGS, settingsPath, workspacePath } from '../src/lib/router';

describe('match', () => {
  it.each([
    ['/', { page: 'home' }],
    ['/enter', { page: 'enter' }],
    ['/i/raumplanung', { page: 'workspace', slug: 'raumplanung' }],
    ['/i/raumplanung/', { page: 'workspace', slug: 'raumplanung' }],
    ['/i/%E7%8E%8B', { page: 'workspace', slug: '王' }],
    ['/i/%zz', { page: 'workspace', slug: '%zz' }],
    ['/i/raumplanung/c/0197', { page: 'workspace', slug: 'raumplanung', conversation: '0197' }],
    ['/i/raumplanung/c', { page: 'notFound' }],
    ['/i/raumplanung/d/0197', { page: 'notFound' }],
    ['/i/raumplanung/files', { page: 'files', slug: 'raumplanung' }],
    ['/i/raumplanung/files/0197', { page: 'file', slug: 'raumplanung', id: '0197' }],
    ['/i/raumplanung/files/0197/more', { page: 'notFound' }],
    ['/i/raumplanung/knowledge', { page: 'knowledge', slug: 'raumplanung' }],
    ['/i/raumplanung/knowledge/more', { page: 'notFound' }],
    ['/settings', { page: 'settings', section: 'profile' }],
    ['/i', { page: 'notFound' }],
    ['/i/a/b', { page: 'notFound' }],
    ['/settings/nothing', { page: 'notFound' }],
    ['/settings/users/more', { page: 'notFound' }],
    ['/costs', { page: 'costs' }],
    ['/costs/more', { page: 'notFound' }],
    ['/runs/0197', { page: 'run', id: '0197' }],
    ['/runs', { page: 'notFound' }],
    ['/login/x', { page: 'notFound' }],
    ['/constructor', { page: 'notFound' }],
  ])('%s', (path, route) => {
    expect(match(path)).toEqual(route);
  });

  it('finds every settings page by its own path', () => {
    for (const section of SETTINGS) expect(match(settingsPath(section))).toEqual({ page: 'settings', section });
  });

  it('finds a workspace by the path made for it', () => {
    for (const slug of ['a', 'räume & mehr', '100%', 'a/b']) expect(match(workspacePath(slug))).toEqual({ page: 'workspace', slug });
  });
});

describe('a conversation', () => {
  it('is found by the path made for it', () => {
    expect(match(conversationPath('räume & mehr', 'a-1'))).toEqual({ page: 'workspace', slug: 'räume & mehr', conversation: 'a-1' });
  });
});

describe('where to go after signing in', () => {
  it('comes back to the page that was asked for', () => {
    const [path, query] = loginPath('/settings/users?q=a').split('?');
    expect(match(path!, `?${query}`)).toEqual({ page: 'login', next: '/settings/users?q=a' });
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '', null, '/login', '/login?next=/x', '/enter'])(
    'never goes to %s',
    (next) => {
      expect(safeNext(next)).toBe('/');
    },
  );

  it('leaves the address short when there is nothing to come back to', () => {
    expect(loginPath('/')).toBe('/login');
  });
});
