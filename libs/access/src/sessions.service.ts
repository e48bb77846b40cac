import { Clock, Database, isUuid, later, uuidAt } from '#libs/database';
import { type Agent, NotFound, type Session } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { recognisedBrowser } from './browser-label.js';
import { newBrowserMailLimit } from './throttle-limits.js';
import { ThrottlesService } from './throttles.service.js';
import type { SigningIn } from './passwords.service.js';
import { digest, randomToken } from './secrets.js';
import {
  END_HELD_SESSION,
  FIND_SESSION,
  LIST_SESSIONS,
  NOTE_SEEN,
  OPEN_SESSION,
  endSessions,
} from './session.statements.js';

const LIFE_MS = 30 * 86_400_000;
export interface AuthenticatedSession extends Pick<
  Agent,
  'accountId' | 'email' | 'firstName' | 'lastName' | 'role' | 'compactList'
> {
  readonly sessionId: string;
  readonly account: string;
  readonly agentId: string;
  readonly timeZone: string;
  /** The account requires two-factor sign-in, which the agent has not set up. */
  readonly owesTwoFactor: boolean;
}

type SignedInAgent = Pick<AuthenticatedSession, 'accountId' | 'agentId' | 'sessionId'>;
type BrowserInfo = Pick<Session, 'userAgent' | 'address'> & { readonly isNew?: boolean };
export type OpenSession = Pick<Session, 'id' | 'userAgent' | 'address' | 'createdAt' | 'lastSeenAt'>;

@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly throttles: ThrottlesService,
  ) {}

  /** Opens a session under a new secret, so that one planted in the browser is useless. */
  async open(agent: Omit<SigningIn, 'email'>, { userAgent, address, isNew = false }: BrowserInfo) {
    const now = this.clock.now();
    const token = randomToken();
    const expiresAt = later(now, LIFE_MS);
    // A throttle, because signing out deletes sessions, so they cannot be counted.
    const notifies = isNew && (await this.throttles.consume([newBrowserMailLimit(agent.id)])) === 0;
    const device = notifies ? (recognisedBrowser(userAgent) ?? 'unknown') : null;
    const values = [uuidAt(now), digest(token), agent.id, userAgent.slice(0, 300), address, now, expiresAt, device];
    await this.database.account(agent.accountId).rows(OPEN_SESSION, [...values, agent.passwordVersion ?? null]);
    return { token, expiresAt };
  }

  async find(token: string): Promise<AuthenticatedSession | undefined> {
    const now = this.clock.now();
    type Found = AuthenticatedSession & { seenIsOld: boolean };
    const found = await this.database.system().row<Found>(FIND_SESSION, [digest(token), now]);
    if (!found) return undefined;
    const { seenIsOld, ...signedIn } = found;
    // Not awaited: a failure only makes a date less exact.
    if (seenIsOld)
      void this.database
        .account(signedIn.accountId)
        .rows(NOTE_SEEN, [signedIn.sessionId, now])
        .catch(() => undefined);
    return signedIn;
  }

  list(accountId: string, agentId: string): Promise<OpenSession[]> {
    return this.database.account(accountId).rows<OpenSession>(LIST_SESSIONS, [agentId, this.clock.now()]);
  }

  async close(token: string): Promise<void> {
    await this.database.system().rows(END_HELD_SESSION, [digest(token)]);
  }

  async closeOne({ accountId, agentId }: SignedInAgent, id: string): Promise<void> {
    const ended = isUuid(id) ? await endSessions(this.database.account(accountId), agentId, { only: id }) : 0;
    if (ended === 0) throw new NotFound('session');
  }

  closeOthers({ accountId, agentId, sessionId }: SignedInAgent): Promise<number> {
    return endSessions(this.database.account(accountId), agentId, { except: sessionId });
  }
}
