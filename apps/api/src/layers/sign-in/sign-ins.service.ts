import { SecondFactorsService, SessionsService, type SigningIn } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CookiesService } from '../ui/cookies.service.js';
import type { Redirect } from '../ui/page-response.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import { localPath } from './sign-in-paths.js';
import { KnownBrowsersService } from './known-browsers.service.js';

/** The password, the code if two-factor sign-in is on, and the session. */
@Injectable()
export class SignInsService {
  constructor(
    private readonly cookies: CookiesService,
    private readonly browserSessions: BrowserSessionsService,
    private readonly sessions: SessionsService,
    private readonly secondFactors: SecondFactorsService,
    private readonly knownBrowsers: KnownBrowsersService,
  ) {}

  async afterPassword(request: FastifyRequest, agent: SigningIn, returnTo = this.browserSessions.returnTo(request)) {
    const challenge = await this.requireCode(agent, returnTo);
    if (challenge) return challenge;
    const { token, signedIn } = await this.openSession(request, agent, returnTo);
    // Two-factor sign-in may have been switched on meanwhile.
    const lateChallenge = await this.requireCode(agent, returnTo);
    if (!lateChallenge) return signedIn;
    await this.sessions.close(token);
    return lateChallenge;
  }

  async open(request: FastifyRequest, agent: SigningIn, returnTo: string | undefined): Promise<Redirect> {
    return (await this.openSession(request, agent, returnTo)).signedIn;
  }

  private async requireCode(agent: SigningIn, returnTo: string | undefined): Promise<Redirect | undefined> {
    const challenge = await this.secondFactors.challengeIfNeeded(agent, localPath(returnTo));
    if (!challenge) return undefined;
    const { token, expiresAt } = challenge;
    return { redirect: '/sign-in/code', cookies: [this.cookies.set('challenge', token, expiresAt)] };
  }

  private async openSession(request: FastifyRequest, agent: SigningIn, returnTo: string | undefined) {
    await this.browserSessions.close(request);
    const { token, expiresAt } = await this.sessions.open(agent, {
      userAgent: request.headers['user-agent'] ?? '',
      address: request.ip,
      isNew: this.knownBrowsers.idFor(request, agent.id) === undefined,
    });
    const ended = (['visit', 'return-to', 'challenge'] as const).map((name) => this.cookies.clear(name));
    const known = this.knownBrowsers.remember(request, agent.id);
    const cookies = [this.cookies.set('session', token, expiresAt), known, ...ended];
    return { token, signedIn: { redirect: localPath(returnTo), cookies } };
  }
}
