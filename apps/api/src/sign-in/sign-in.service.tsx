import { type SignInCandidate, CredentialsService, PendingSignInsService } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { errorPage } from '../pages/error.page.js';
import type { PageResponse } from '../pages/page-response.js';
import { BrowserSessions, localPath } from './browser-sessions.js';
import { csrfToken, requireCsrfToken } from '../pages/csrf.js';
import { FormFields } from '../pages/form-fields.js';
import { ChooseAccountPage, SignInPage } from './sign-in.page.js';

const WRONG_CREDENTIALS = 'E-mail or password is wrong.';

@Injectable()
export class SignInService {
  constructor(
    private readonly browserSessions: BrowserSessions,
    private readonly signIns: CredentialsService,
    private readonly pendingSignIns: PendingSignInsService,
  ) {}

  async show(request: FastifyRequest): Promise<PageResponse> {
    if (await this.browserSessions.current(request)) return { redirect: '/' };
    const { secret, cookies } = this.browserSessions.anonymousSession(request);
    return { view: <SignInPage csrf={csrfToken(secret)} />, cookies };
  }

  async tryPassword(request: FastifyRequest): Promise<PageResponse> {
    const form = new FormFields(request.body);
    const secret = this.browserSessions.requireAnonymousCsrf(request, form);
    const email = form.text('email');
    const answer = await this.signIns.authenticate(email, form.text('password'), request.ip);
    if (answer.kind === 'throttled') return tooManyAttempts(answer.retryAfterSeconds);
    if (answer.kind === 'matched') return this.completeSignIn(request, secret, answer.agents);
    return { view: <SignInPage csrf={csrfToken(secret)} email={email} error={WRONG_CREDENTIALS} />, status: 422 };
  }

  /** Only agents whose password this browser has just sent can be chosen. */
  async chooseAccount(request: FastifyRequest): Promise<PageResponse> {
    const form = new FormFields(request.body);
    const agents = await this.signIns.findCandidates(
      await this.pendingSignIns.agentIds(this.browserSessions.requireAnonymousCsrf(request, form)),
    );
    const chosen = agents.find(({ id }) => id === form.text('agent'));
    return chosen ? this.browserSessions.signIn(request, chosen) : { redirect: '/sign-in' };
  }

  async signOut(request: FastifyRequest, returnTo: unknown): Promise<PageResponse> {
    const signedIn = await this.browserSessions.current(request);
    if (!signedIn) return { redirect: '/sign-in' };
    requireCsrfToken(request, { secret: signedIn.secret, token: new FormFields(request.body).text('csrf') });
    return this.browserSessions.signOut(request, typeof returnTo === 'string' ? localPath(returnTo) : undefined);
  }

  private async completeSignIn(
    request: FastifyRequest,
    secret: string,
    agents: readonly SignInCandidate[],
  ): Promise<PageResponse> {
    const [only, ...others] = agents;
    if (only && others.length === 0) return this.browserSessions.signIn(request, only);
    await this.pendingSignIns.saveAgents(
      secret,
      agents.map(({ id }) => id),
    );
    return { view: <ChooseAccountPage csrf={csrfToken(secret)} agents={agents} /> };
  }
}

export function tooManyAttempts(retryAfterSeconds: number): PageResponse {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const page = errorPage(429, `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`);
  return { ...page, retryAfterSeconds };
}
