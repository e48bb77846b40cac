import { Clock, Database, isUuid, later } from '#libs/database';
import { NotFound, type Session } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { recognisedBrowser } from './browser-label.js';
import { newBrowserMailLimit } from './throttle-limits.js';
import { ThrottlesService } from './throttles.service.js';
import { digest, randomToken } from './secrets.js';
import {
  type AuthenticatedSession,
  type OpenSession,
  type SigningIn,
  endHeldSession,
  endSessions,
  findSession,
  insertSession,
  listSessions,
  noteSeen,
} from './session.statements.js';

const LIFE_MS = 30 * 86_400_000;
const MAX_USER_AGENT = 300;

type SignedInAgent = Pick<AuthenticatedSession, 'accountId' | 'agentId' | 'sessionId'>;
type BrowserInfo = Pick<Session, 'userAgent' | 'address'> & { readonly isNew?: boolean };

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
    const browser = { userAgent: userAgent.slice(0, MAX_USER_AGENT), address, device };
    const session = { hash: digest(token), agent, expiresAt, ...browser };
    await insertSession(this.database.account(agent.accountId), session, now);
    return { token, expiresAt };
  }

  async find(token: string): Promise<AuthenticatedSession | undefined> {
    const now = this.clock.now();
    const found = await findSession(this.database.system(), digest(token), now);
    if (!found) return undefined;
    const { seenIsOld, ...signedIn } = found;
    // Not awaited: a failure only makes a date less exact.
    if (seenIsOld)
      void noteSeen(this.database.account(signedIn.accountId), signedIn.sessionId, now).catch(() => undefined);
    return signedIn;
  }

  list(accountId: string, agentId: string): Promise<OpenSession[]> {
    return listSessions(this.database.account(accountId), agentId, this.clock.now());
  }

  async close(token: string): Promise<void> {
    await endHeldSession(this.database.system(), digest(token));
  }

  async closeOne({ accountId, agentId }: SignedInAgent, id: string): Promise<void> {
    const ended = isUuid(id) ? await endSessions(this.database.account(accountId), agentId, { only: id }) : 0;
    if (ended === 0) throw new NotFound('session');
  }

  closeOthers({ accountId, agentId, sessionId }: SignedInAgent): Promise<number> {
    return endSessions(this.database.account(accountId), agentId, { except: sessionId });
  }
}
