import { createHash } from 'node:crypto';
import { randomToken, SecondFactorsService, SessionsService, type SigningIn } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SignedCookiesService, CookiesService } from '../ui/cookies.service.js';
import type { Redirect } from '../ui/page-response.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import { localPath } from './sign-in-paths.js';

/** Browsers keep cookies for at most 400 days. */
const LIFE_MS = 400 * 86_400_000;

const MAX_AGENTS = 10;

/** A cookie with a random id and a digest of it with each agent. It outlives the session. */
@Injectable()
export class KnownBrowsersService {
  constructor(private readonly cookies: SignedCookiesService) {}

  /** An email would not do: the owner of any account can have an agent with it. */
  idFor(request: FastifyRequest, agentId: string): string | undefined {
    const { id, agents } = this.read(request);
    return agents.includes(digestOf(id, agentId)) ? id : undefined;
  }

  remember(request: FastifyRequest, agentId: string): string {
    const { id, agents } = this.read(request);
    const latest = [...new Set([digestOf(id, agentId), ...agents])].slice(0, MAX_AGENTS);
    return this.cookies.set('known-browser', { text: [id, ...latest].join(' '), lifeMs: LIFE_MS });
  }

  private read(request: FastifyRequest): { id: string; agents: string[] } {
    const kept = this.cookies.read(request, 'known-browser');
    const [id = randomToken(), ...agents] = kept?.text.split(' ') ?? [];
    return { id, agents };
  }
}

const digestOf = (id: string, agentId: string): string =>
  createHash('sha256').update(`${id} ${agentId}`).digest('base64url').slice(0, 22);

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
