import { type SignInCandidate, SessionsService, SignInChallengesService } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CookiesService } from '../ui/cookies.service.js';
import type { Redirect } from '../ui/page-response.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import { KnownBrowsersService } from './known-browsers.service.js';
import { localPath } from './local-path.js';

/** With the password that was verified or set, so that a session of an older one is never opened. */
type SigningIn = Pick<SignInCandidate, 'id' | 'accountId' | 'email'> & { readonly passwordVersion: Buffer | null };

/** The steps of a sign-in: after the password comes the code, if the agent has set up an app for it, and then a session. */
@Injectable()
export class SignInsService {
  constructor(
    private readonly cookies: CookiesService,
    private readonly browserSessions: BrowserSessionsService,
    private readonly sessions: SessionsService,
    private readonly challenges: SignInChallengesService,
    private readonly knownBrowsers: KnownBrowsersService,
  ) {}

  /** The password was right, or it was set through a link. Neither is enough for those who also need a code. */
  async afterPassword(
    request: FastifyRequest,
    agent: SigningIn,
    returnTo = this.browserSessions.returnTo(request),
  ): Promise<Redirect> {
    const asked = await this.askForCode(agent, returnTo);
    if (asked) return asked;
    const { token, signedIn } = await this.openSession(request, agent, returnTo);
    // Switching two-factor sign-in on ends the sessions that it finds, and this one may have come a moment later.
    const askedLate = await this.askForCode(agent, returnTo);
    if (!askedLate) return signedIn;
    await this.sessions.close(token);
    return askedLate;
  }

  /** Everything was right. Ends the visit and any previous session, opens a session, and leads to the page that was wanted. */
  async open(request: FastifyRequest, agent: SigningIn, returnTo: string | undefined): Promise<Redirect> {
    return (await this.openSession(request, agent, returnTo)).signedIn;
  }

  private async askForCode(agent: SigningIn, returnTo: string | undefined): Promise<Redirect | undefined> {
    const challenge = await this.challenges.openIfNeeded(agent, localPath(returnTo));
    if (!challenge) return undefined;
    const { token, expiresAt } = challenge;
    return { redirect: '/sign-in/code', cookies: [this.cookies.set('challenge', token, expiresAt)] };
  }

  private async openSession(
    request: FastifyRequest,
    agent: SigningIn,
    returnTo: string | undefined,
  ): Promise<{ token: string; signedIn: Redirect }> {
    await this.browserSessions.close(request);
    const { token, expiresAt } = await this.sessions.open(agent, {
      userAgent: request.headers['user-agent'] ?? '',
      address: request.ip,
      isNew: this.knownBrowsers.idFor(request, agent.email) === undefined,
    });
    const ended = (['visit', 'return-to', 'challenge'] as const).map((name) => this.cookies.clear(name));
    const known = this.knownBrowsers.remember(request, agent.email);
    const cookies = [this.cookies.set('session', token, expiresAt), known, ...ended];
    return { token, signedIn: { redirect: localPath(returnTo), cookies } };
  }
}
