/** A stand-in for the server, in memory, for working on the pages alone: `npm run mock`, then `npm run dev`.
 *
 *   node dev/mock.mjs [--port 8420] [--dist DIR] [--password]
 *
 * With --dist it also serves built pages under the server's content security policy. It is neither complete nor strict;
 * the real server is the reference. The sign-in link is printed at the start; in password mode every password is right.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const argument = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const port = Number(argument('--port') ?? 8420);
const dist = argument('--dist');
const loginMode = process.argv.includes('--password') ? 'password' : 'local';
const ago = (minutes) => new Date(Date.now() - minutes * 60_000).toISOString();

const DATA = ['read', 'create', 'update', 'delete'];
const objects = [
  ['data.mandate', ['read', 'update'], true],
  ['data.user', DATA],
  ['data.role', DATA, true],
  ['data.instance', DATA],
  ['data.member', DATA],
  ['data.token', ['read', 'create', 'delete']],
  ['data.session', ['read', 'delete']],
  ['data.audit', ['read'], true],
  ['service.agent', ['use'], true],
  ['provider.*', ['use'], true],
  ['model.*', ['use'], true],
].map(([key, actions, yesNo]) => ({ key, actions, levels: yesNo ? ['NONE', 'ALL'] : ['NONE', 'MY', 'GROUP', 'ALL'] }));
const rule = (objectKey, level, ...actions) => actions.map((action) => ({ objectKey, action, level }));
const all = objects.flatMap(({ key, actions }) => rule(key, 'ALL', ...actions));
const reader = [...rule('data.role', 'ALL', 'read'), ...rule('data.instance', 'GROUP', 'read'), ...rule('data.member', 'GROUP', 'read'), ...rule('data.user', 'GROUP', 'read'), ...rule('data.session', 'MY', 'read', 'delete')];
const member = [...reader, ...rule('data.token', 'MY', 'read', 'create', 'delete')];
const role = (key, name, rules, builtin = true) => ({ id: randomUUID(), key, name, description: name, builtin, rules, userCount: 0 });
const roles = [role('admin', 'Administrator', all), role('member', 'Member', member), role('reader', 'Reader', reader), role('custom-1', 'Projektleitung', member, false)];

const names = ['Anna Keller', 'Beat Zürcher', 'Chiara Rossi', 'David Okafor', 'Elif Yılmaz', 'François Dubois', 'Greta Lindqvist', '王小明', 'João Pereira', 'Katharina von Graffenried-Oberholzer', ...Array.from({ length: 60 }, (_, n) => `Person ${n + 1}`)];
const users = names.map((displayName, n) => ({
  id: randomUUID(),
  login: `${displayName.normalize('NFD').replace(/[^A-Za-z]/g, '').toLowerCase() || 'user'}${n}@example.org`,
  displayName, language: 'en', theme: 'system', roleId: roles[n === 0 ? 0 : n % 7 === 3 ? 2 : 1].id,
  status: n === 5 ? 'suspended' : 'active', hasPassword: false, createdAt: ago(n * 9000 + 600), lastSeenAt: n % 4 === 2 ? null : ago(n * 300 + 2),
}));
const instance = (name, slug, status = 'active') => ({ id: randomUUID(), name, slug, feature: 'workspace', toolSet: 'core', status, memberCount: 3, createdAt: ago(50_000) });
const instances = [instance('Raumplanung Solothurn', 'raumplanung'), instance('Offerten', 'offerten'), instance('Testlabor', 'testlabor', 'archived')];
const members = new Map(instances.map(({ id }) => [id, users.slice(0, 5).map((user) => ({ userId: user.id, roleId: null, since: ago(4000) }))]));
const token = (name, used, expiresAt = null) => ({ id: randomUUID(), name, prefix: 'wr_' + randomUUID().slice(0, 6), userId: users[0].id, userName: users[0].displayName, instanceId: instances[0].id, createdAt: ago(8000), expiresAt, lastUsedAt: used });
const tokens = [token('Backup-Skript', ago(14)), token('Grafana', null, new Date(Date.now() + 5e9).toISOString()), token('Old laptop', ago(90_000), ago(100))];
const agent = (text) => `Mozilla/5.0 (${text}) AppleWebKit/537.36 Chrome/140.0 Safari/537.36`;
const sessions = [['X11; Linux x86_64', true], ['Windows NT 10.0; Win64'], ['iPhone; CPU iPhone OS 19_0']].map(([text, current = false], n) => ({ id: randomUUID(), createdAt: ago(3000 * n + 5), lastUsedAt: ago(700 * n), expiresAt: ago(-40_000), userAgent: agent(text), address: `192.0.2.${n + 7}`, current }));
const audit = [];
const streams = new Set();

function changed(action, kind, id, details = {}) {
  audit.unshift({ id: randomUUID(), at: new Date().toISOString(), userId: users[0].id, userName: users[0].displayName, action: `${kind}.${action}`, objectKind: kind, objectId: id, details });
  for (const stream of streams) stream.write(`event: changed\ndata: ${JSON.stringify({ kind, id })}\n\n`);
}
for (const user of users.slice(1, 9)) changed('created', 'user', user.id, { login: user.login });
changed('created', 'instance', instances[0].id, { name: instances[0].name });
changed('created', 'token', tokens[0].id, { name: tokens[0].name });
audit.forEach((entry, n) => (entry.at = ago(n * n * 37 + 4)));

let signedIn = !process.argv.includes('--out');
class Refusal extends Error {
  constructor(status, code, details) {
    super(code);
    Object.assign(this, { status, code, details });
  }
}
const find = (list, id) => list.find((item) => item.id === id) ?? refuse(404, 'notFound');
const refuse = (status, code, details) => {
  throw new Refusal(status, code, details);
};

function permissions(rules) {
  const found = {};
  for (const { objectKey, action, level } of rules) (found[objectKey] ??= {})[action] = level;
  return found;
}
const mandate = { id: randomUUID(), name: 'Muster & Partner AG' };
function session() {
  const user = users[0];
  const own = find(roles, user.roleId);
  return { user, mandate, role: own, permissions: permissions(own.rules), instances: instances.filter(({ status }) => status === 'active'), defaultInstanceId: instances[0].id };
}
function listed(items, query, text) {
  const q = (query.get('q') ?? '').toLowerCase();
  const sort = query.get('sort');
  const sign = query.get('order') === 'desc' ? -1 : 1;
  let found = items.filter((item) => text(item).toLowerCase().includes(q));
  if (sort) found = [...found].sort((a, b) => sign * String(a[sort] ?? a.user?.[sort] ?? '').localeCompare(String(b[sort] ?? b.user?.[sort] ?? '')));
  const from = Number(query.get('cursor') ?? 0);
  const to = from + Number(query.get('limit') ?? 50);
  return { items: found.slice(from, to), nextCursor: to < found.length ? String(to) : null, total: found.length };
}
const link = () => ({ url: `http://127.0.0.1:${port}/enter#${randomUUID()}`, expiresAt: ago(-1440) });
const remove = (list, id, kind, action = 'deleted') => {
  list.splice(list.indexOf(find(list, id)), 1);
  changed(action, kind, id);
};
const membersOf = (id) => members.get(id) ?? members.set(id, []).get(id);
const counted = () => roles.map((item) => ({ ...item, userCount: users.filter((user) => user.roleId === item.id).length }));

const ROUTES = {
  'GET /api/status': () => ({ product: 'Workroom', version: '0.1.0', loginMode, signedIn, signInCommand: loginMode === 'local' ? 'WORKROOM_DATA=/srv/workroom workroom users link' : null }),
  'POST /api/auth/link': ({ body }) => (body.token === 'bad' ? refuse(401, 'linkInvalid') : ((signedIn = true), session())),
  'POST /api/auth/login': ({ body }) => (body.password === 'wrong' ? refuse(401, 'wrongCredentials') : body.login === 'many' ? refuse(429, 'tooManyAttempts', { retryAfter: 600 }) : body.login === 'two' && !body.mandateId ? refuse(409, 'mandateChoice', { mandates: [{ id: 'a', name: 'Muster AG' }, { id: 'b', name: 'Beispiel GmbH' }] }) : ((signedIn = true), session())),
  'POST /api/auth/logout': () => void (signedIn = false),
  'PUT /api/auth/password': ({ body }) => (body.newPassword.length < 10 ? refuse(422, 'weakPassword') : void (users[0].hasPassword = true)),
  'GET /api/session': session,
  'PATCH /api/me': ({ body }) => Object.assign(users[0], body),
  'PATCH /api/mandate': ({ body }) => (Object.assign(mandate, body), changed('updated', 'mandate', mandate.id, body), mandate),
  'GET /api/users': ({ query }) => listed(users, query, (user) => `${user.displayName} ${user.login}`),
  'POST /api/users': ({ body }) => {
    if (users.some((user) => user.login === body.login)) refuse(409, 'loginTaken', { field: 'login' });
    const user = { ...users[1], ...body, id: randomUUID(), status: 'active', createdAt: ago(0), lastSeenAt: null };
    users.push(user);
    changed('created', 'user', user.id, { login: user.login });
    return { user, link: link() };
  },
  'PATCH /api/users/:id': ({ id, body }) => (changed('updated', 'user', id), Object.assign(find(users, id), body)),
  'DELETE /api/users/:id': ({ id }) => remove(users, id, 'user'),
  'POST /api/users/:id/link': link,
  'GET /api/roles': ({ query }) => listed(counted(), query, (item) => item.name),
  'POST /api/roles': ({ body }) => {
    if (roles.some(({ name }) => name === body.name)) refuse(409, 'nameTaken', { field: 'name' });
    const made = { ...role(`custom-${roles.length}`, body.name, body.rules, false), description: body.description };
    roles.push(made);
    changed('created', 'role', made.id, { name: made.name });
    return made;
  },
  'PATCH /api/roles/:id': ({ id, body }) => (changed('updated', 'role', id), Object.assign(find(roles, id), body)),
  'DELETE /api/roles/:id': ({ id }) => (users.some((user) => user.roleId === id) ? refuse(409, 'roleInUse') : remove(roles, id, 'role')),
  'GET /api/objects': () => ({ items: objects }),
  'GET /api/instances': ({ query }) => listed(instances.filter(({ status }) => (query.get('status') ?? status) === status), query, (item) => item.name),
  'POST /api/instances': ({ body }) => {
    const slug = body.slug ?? body.name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    if (instances.some((item) => item.slug === slug)) refuse(409, 'slugTaken', { field: 'slug' });
    const made = instance(body.name, slug);
    instances.push(made);
    changed('created', 'instance', made.id, { name: made.name });
    return made;
  },
  'PATCH /api/instances/:id': ({ id, body }) => (changed('updated', 'instance', id), Object.assign(find(instances, id), body)),
  'DELETE /api/instances/:id': ({ id }) => (find(instances, id).status === 'active' ? refuse(409, 'notArchived') : remove(instances, id, 'instance')),
  'GET /api/instances/:id/members': ({ id, query }) => listed(membersOf(id).map(({ userId, ...rest }) => ({ user: find(users, userId), ...rest })), query, ({ user }) => user.displayName),
  'PUT /api/instances/:id/members/:other': ({ id, other, body }) => {
    const found = membersOf(id).find(({ userId }) => userId === other);
    if (found) found.roleId = body.roleId;
    else membersOf(id).push({ userId: other, roleId: body.roleId, since: ago(0) });
    changed('put', 'member', other);
    return { user: find(users, other), roleId: body.roleId, since: ago(0) };
  },
  'DELETE /api/instances/:id/members/:other': ({ id, other }) => (members.set(id, membersOf(id).filter(({ userId }) => userId !== other)), changed('removed', 'member', other)),
  'GET /api/tokens': ({ query }) => listed(tokens, query, (item) => item.name),
  'POST /api/tokens': ({ body }) => {
    const made = { ...token(body.name, null), instanceId: body.instanceId ?? null };
    tokens.unshift(made);
    changed('created', 'token', made.id, { name: made.name });
    return { secret: `${made.prefix}_${randomUUID().replaceAll('-', '')}`, token: made };
  },
  'DELETE /api/tokens/:id': ({ id }) => remove(tokens, id, 'token', 'revoked'),
  'GET /api/sessions': ({ query }) => listed(sessions, query, (item) => item.userAgent),
  'DELETE /api/sessions/:id': ({ id }) => remove(sessions, id, 'session', 'ended'),
  'GET /api/audit': ({ query }) => listed(audit, query, (item) => `${item.action} ${item.userName} ${JSON.stringify(item.details)}`),
};
ROUTES['GET /api/streams'] = () => ({ open: streams.size }); // not in the real server: for looking at the one stream per browser
const OPEN = new Set(['GET /api/status', 'GET /api/streams', 'POST /api/auth/link', 'POST /api/auth/login']);

async function answer(request, url) {
  const parts = url.pathname.split('/');
  for (const [pattern, handle] of Object.entries(ROUTES)) {
    const [method, path] = pattern.split(' ');
    const wanted = path.split('/');
    if (method !== request.method || wanted.length !== parts.length) continue;
    if (!wanted.every((part, n) => part.startsWith(':') || part === parts[n])) continue;
    if (!signedIn && !OPEN.has(pattern)) refuse(401, 'unauthenticated');
    const values = Object.fromEntries(wanted.map((part, n) => [part.slice(1), parts[n]]).filter(([, value], n) => wanted[n].startsWith(':') && value));
    const chunks = await Array.fromAsync(request);
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    return handle({ ...values, query: url.searchParams, body });
  }
  return refuse(404, 'notFound');
}

function stream(request, response) {
  if (!signedIn) return response.writeHead(401).end();
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write('event: hello\ndata: {}\n\n');
  streams.add(response);
  request.on('close', () => streams.delete(response));
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' };
const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
function file(path, response) {
  if (!dist) return response.writeHead(404).end('Run with --dist, or open the address of `npm run dev`.');
  const name = /^\/assets\/[\w.-]+$/.test(path) ? path : '/index.html';
  response.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream', 'Content-Security-Policy': CSP });
  response.end(readFileSync(join(dist, name)));
}

createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/api/events') return stream(request, response);
  if (!url.pathname.startsWith('/api/')) return file(url.pathname, response);
  answer(request, url).then(
    (body) => (body === undefined ? response.writeHead(204).end() : response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(body))),
    (error) => {
      const { status = 500, code = 'unexpected', details } = error;
      if (status === 500) console.error(error);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ code, message: error.message, traceId: randomUUID(), details }));
    },
  );
}).listen(port, '127.0.0.1', () => console.log(`Mock server: ${link().url}`));
