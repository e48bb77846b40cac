import { Clock, Database, accountStatement, filter, later, systemStatement, uuidAt } from '#libs/database';
import type { Agent, Session } from '#libs/entities';
import { oweMails } from '#libs/mail';
import { Injectable } from '@nestjs/common';
import { recognisedBrowser } from './browser-label.js';
import { isStillVersion } from './password-version.js';
import { digest, randomToken } from './secrets.js';
import { END_HELD_SESSION, endSessions } from './session-endings.js';
import { newBrowserMailLimit } from './throttle-limits.js';
import { ThrottlesService } from './throttles.service.js';

const IDLE = '7 days';
const LIFE_MS = 30 * 86_400_000;
/** How exact "last seen" is; each request within it writes nothing. */
const SEEN_GRAIN = '1 minute';

/** Whoever sits in front of a signed-in browser. */
export interface AuthenticatedSession extends Pick<
  Agent,
  'accountId' | 'email' | 'firstName' | 'lastName' | 'role' | 'compactList'
> {
  readonly sessionId: string;
  readonly account: string;
  readonly agentId: string;
  /** In which the agent sees times. */
  readonly timeZone: string;
  /** The account requires two-factor sign-in of this agent, who has not set it up yet and can do nothing else until then. */
  readonly owesTwoFactor: boolean;
}

type SignedInAgent = Pick<AuthenticatedSession, 'accountId' | 'agentId' | 'sessionId'>;
export interface BrowserInfo extends Pick<Session, 'userAgent' | 'address'> {
  /** The agent has not signed in with it before. */
  readonly isNew?: boolean;
}
export type OpenSession = Pick<Session, 'id' | 'userAgent' | 'address' | 'createdAt' | 'lastSeenAt'>;

/** Who signs in. The version of the password is that of the one that was given, if one was. */
type SigningIn = Pick<Agent, 'accountId' | 'id'> & { readonly passwordVersion?: Buffer | null };

/**
 * Where a device is told, its agent is owed a mail, except for the very first sign-in. The agent is locked, and looked at
 * again then: a password that was changed meanwhile opens nothing.
 */
const OPEN = accountStatement(
  'session_open',
  `with holder as (
     select id, email, coalesce(signed_in_at, last_seen_at) as before from agents
     where id = $4 and ${filter('account_id = $1')} and state = 'active' and ${isStillVersion('agents', '$10')} for no key update
   ), stamped as (
     update agents a set signed_in_at = $7, last_seen_at = $7 from holder where a.id = holder.id and ${filter('a.account_id = $1')}
   ), notice as (
     ${oweMails(
       'sign_in_notice',
       `select $1::uuid, email, jsonb_build_object('device', $9::text, 'address', $6::text), $7::timestamptz
        from holder where before is not null and $9::text is not null`,
     )}
   )
   insert into sessions (id, hash, account_id, agent_id, user_agent, address, created_at, last_seen_at, expires_at)
   select $2, $3, $1, id, $5, $6, $7, $7, $8 from holder`,
);

/** One round trip; an archived agent is signed out by being archived. */
const FIND = systemStatement(
  'session_find',
  'The session itself says whose account this is',
  `select s.id as "sessionId", s.account_id as "accountId", ac.name as account, s.agent_id as "agentId", a.email,
     a.first_name as "firstName", a.last_name as "lastName", a.role, coalesce(a.time_zone, ac.time_zone) as "timeZone",
     a.compact_list as "compactList",
     (ac.two_factor_required_for = 'everybody' or ac.two_factor_required_for = 'managers' and a.role in ('owner', 'admin'))
       and not exists (select from authenticators t where t.agent_id = a.id and t.confirmed_at is not null) as "owesTwoFactor",
     s.last_seen_at < $2::timestamptz - interval '${SEEN_GRAIN}' as "seenIsOld"
   from sessions s
     join agents a on a.id = s.agent_id and a.account_id = s.account_id
     join accounts ac on ac.id = s.account_id
   where s.hash = $1 and s.expires_at > $2 and s.last_seen_at > $2::timestamptz - interval '${IDLE}'
     and a.state = 'active'`,
);

/** Locks the agent before the session. Whatever ends sessions does so too, and the two never deadlock. */
const NOTE_SEEN = accountStatement(
  'session_note_seen',
  `with seen as (
     update agents set last_seen_at = $3 where ${filter('account_id = $1')}
       and id = (select agent_id from sessions where id = $2 and ${filter('account_id = $1')})
     returning id
   )
   update sessions s set last_seen_at = $3 from seen where s.id = $2 and ${filter('s.account_id = $1')} and s.agent_id = seen.id`,
);

const LIST = accountStatement(
  'sessions_list',
  `select id, user_agent as "userAgent", address, created_at as "createdAt", last_seen_at as "lastSeenAt"
   from sessions where account_id = $1 and agent_id = $2 and expires_at > $3
     and last_seen_at > $3::timestamptz - interval '${IDLE}'
   order by last_seen_at desc`,
);

@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly throttles: ThrottlesService,
  ) {}

  /** Always a new one under a new secret: a value that was in the browser before is worth nothing. */
  async open(agent: SigningIn, { userAgent, address, isNew = false }: BrowserInfo) {
    const now = this.clock.now();
    const token = randomToken();
    const expiresAt = later(now, LIFE_MS);
    const device = isNew && (await this.mayTell(agent.id)) ? (recognisedBrowser(userAgent) ?? 'unknown') : null;
    const values = [uuidAt(now), digest(token), agent.id, userAgent.slice(0, 300), address, now, expiresAt, device];
    await this.database.account(agent.accountId).rows(OPEN, [...values, agent.passwordVersion ?? null]);
    return { token, expiresAt };
  }

  async find(token: string): Promise<AuthenticatedSession | undefined> {
    const now = this.clock.now();
    const found = await this.database
      .system()
      .row<AuthenticatedSession & { seenIsOld: boolean }>(FIND, [digest(token), now]);
    if (!found) return undefined;
    const { seenIsOld, ...signedIn } = found;
    if (seenIsOld) this.noteSeen(signedIn, now);
    return signedIn;
  }

  list(accountId: string, agentId: string): Promise<OpenSession[]> {
    return this.database.account(accountId).rows<OpenSession>(LIST, [agentId, this.clock.now()]);
  }

  async close(token: string): Promise<void> {
    await this.database.system().rows(END_HELD_SESSION, [digest(token)]);
  }

  /** One of the agent's own, by its id. Says whether there was one. */
  async closeOne({ accountId, agentId }: SignedInAgent, id: string): Promise<boolean> {
    return (await endSessions(this.database.account(accountId), agentId, { only: id })) > 0;
  }

  closeOthers({ accountId, agentId, sessionId }: SignedInAgent): Promise<number> {
    return endSessions(this.database.account(accountId), agentId, { except: sessionId });
  }

  /** Counted apart from the sessions, which signing out deletes. */
  private async mayTell(agentId: string): Promise<boolean> {
    return (await this.throttles.consume([newBrowserMailLimit(agentId)])) === 0;
  }

  /** Nobody waits for it, and losing it loses a minute of a date. */
  private noteSeen({ accountId, sessionId }: AuthenticatedSession, now: Date): void {
    this.database
      .account(accountId)
      .rows(NOTE_SEEN, [sessionId, now])
      .catch(() => undefined);
  }
}
