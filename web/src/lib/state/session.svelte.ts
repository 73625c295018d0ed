/** Who is signed in, what they may do, and which workspaces they have. */
import { allows, type Ability } from '../access';
import { api, take, whenSignedOut } from '../api/client';
import { Problem } from '../api/problem';
import type { Session, Status, User } from '../api/types';
import { i18n } from '../i18n/index.svelte';
import { loginPath } from '../router';
import { live } from './live.svelte';
import { Newest } from './newest';
import { page } from './route.svelte';
import { theme } from './theme.svelte';

class SessionState {
  status = $state<'loading' | 'in' | 'out' | 'failed'>('loading');
  data = $state.raw<Session | null>(null);
  server = $state.raw<Status | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** Why the last session ended, if it was not by the user. */
  reason = $state('');
  #newest = new Newest();
  #changing: Promise<unknown> = Promise.resolve();

  constructor() {
    whenSignedOut(() => this.end('expired'));
    live.onSignedOut((reason) => this.end(reason || 'expired'));
    // A page the browser had put aside and brings back may be of another time.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) void (this.status === 'in' ? this.refresh() : this.load());
    });
    live.follow(['mandate', 'user', 'role', 'instance', 'member'], () => void this.refresh());
  }

  async load(): Promise<void> {
    this.status = 'loading';
    try {
      this.server = await take(api.GET('/api/status'));
      if (!this.server.signedIn) return this.end('');
      this.#enter(await take(api.GET('/api/session')), false);
    } catch (cause) {
      if (this.isOut()) return;
      this.problem = Problem.of(cause);
      this.status = 'failed';
    }
  }

  /** How this server is set up; not fetched yet after entering by a link. */
  async meetServer(): Promise<void> {
    this.server ??= await take(api.GET('/api/status'));
  }

  /** A sign-in has succeeded. */
  begin(session: Session): void {
    this.#enter(session, true);
  }

  #enter(session: Session, fresh: boolean): void {
    this.data = session;
    this.status = 'in';
    this.reason = '';
    this.problem = null;
    this.#wear(session.user);
    live.begin(fresh);
  }

  /** Signed out; `reason` is shown on the entry page. */
  end(reason: string): void {
    if (this.status === 'out') return;
    const wasIn = this.status === 'in';
    this.status = 'out';
    this.data = null;
    this.reason = wasIn ? reason : '';
    live.end();
    if (page.route.page !== 'enter' && page.route.page !== 'login') page.go(loginPath(page.path + page.query), { replace: true });
  }

  async signOut(): Promise<void> {
    await take(api.POST('/api/auth/logout'));
    page.go('/login');
    this.end('');
  }

  async refresh(): Promise<void> {
    if (this.status !== 'in') return;
    const isNewest = this.#newest.ask();
    try {
      const session = await take(api.GET('/api/session'));
      if (this.status !== 'in' || !isNewest()) return;
      const before = this.data?.user;
      this.data = session;
      this.#wear(session.user, before);
    } catch {
      // The stream says hello again once the server is back, and this runs again.
    }
  }

  /** One change after the other, so that the last choice is the one that is kept. */
  async changeMe(change: { displayName?: string; language?: User['language']; theme?: User['theme'] }): Promise<void> {
    const sent = this.#changing.then(() => take(api.PATCH('/api/me', { body: change })));
    const own = (this.#changing = sent.catch(() => {}));
    const user = await sent;
    if (this.#changing !== own) return; // the next one tells more
    if (this.data) this.data = { ...this.data, user };
    this.#wear(user);
    void this.refresh(); // an answer on its way may be of the time before
  }

  /** Asked after waiting, when the compiler still believes in the state from before. */
  isOut(): boolean {
    return this.status === 'out';
  }

  /** Came by link to a server with passwords, and would not get in again. */
  get lacksPassword(): boolean {
    return this.server?.loginMode === 'password' && this.data?.user.hasPassword === false;
  }

  may(ability: Ability): boolean {
    return this.data !== null && allows(this.data.permissions, ability);
  }

  /** The workspaces in use, in the order of their names. */
  get workspaces(): Session['instances'] {
    return (this.data?.instances ?? []).filter((instance) => instance.status === 'active');
  }

  get home(): Session['instances'][number] | undefined {
    return this.workspaces.find((instance) => instance.id === this.data?.defaultInstanceId) ?? this.workspaces[0];
  }

  /** Only what differs from `before`: the user may be choosing something else right now. */
  #wear(user: User, before?: User): void {
    if (user.theme !== before?.theme) theme.use(user.theme as typeof theme.choice);
    if (user.language && user.language !== before?.language) void i18n.follow(user.language as typeof i18n.language);
  }
}

export const session = new SessionState();
