import { CredentialsService } from '#libs/access';
import { Controller, Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../edge/caller.js';
import { csrfToken, requireCsrfToken } from '../ui/csrf.js';
import { tooManyAttemptsPage } from '../ui/error.page.js';
import { FormFields } from '../ui/form-fields.js';
import { HtmlPages } from '../ui/html-pages.decorator.js';
import type { PageResponse } from '../ui/page-response.js';
import { BrowserSessionsService, type UnsentForm } from './browser-sessions.service.js';
import { KnownBrowsersService } from './known-browsers.service.js';
import { localPath } from './return-paths.js';
import { TWO_FACTOR_PATH } from './session.guard.js';
import { ChooseAccountPage, SignInPage } from './sign-in.page.js';
import { SignInsService } from './sign-ins.service.js';

const unsentForm = ({ query }: FastifyRequest): UnsentForm | undefined => {
  const { unsent } = query as { unsent?: unknown };
  return unsent === 'kept' || unsent === 'lost' ? unsent : undefined;
};

const WRONG_CREDENTIALS = 'E-mail or password is wrong.';

@Controller()
@Public()
@HtmlPages()
export class SignInController {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly credentials: CredentialsService,
    private readonly knownBrowsers: KnownBrowsersService,
    private readonly signIns: SignInsService,
  ) {}

  @Get('sign-in')
  async show(@Req() request: FastifyRequest): Promise<PageResponse> {
    const me = await this.browserSessions.find(request);
    if (me) return { redirect: me.owesTwoFactor ? TWO_FACTOR_PATH : '/' };
    const { secret, cookies } = this.browserSessions.anonymousSession(request);
    return { view: <SignInPage csrf={csrfToken(secret)} unsent={unsentForm(request)} />, cookies };
  }

  @Post('sign-in')
  async tryPassword(@Req() request: FastifyRequest): Promise<PageResponse> {
    const { form, secret } = this.browserSessions.anonymousForm(request);
    const email = form.text('email');
    const knownBrowser = this.knownBrowsers.idFor(request, email);
    const attempt = { email, password: form.text('password'), address: request.ip, knownBrowser };
    const answer = await this.credentials.authenticate(attempt);
    if (answer.kind === 'throttled') return tooManyAttemptsPage(answer.retryAfterSeconds);
    if (answer.kind === 'refused') {
      const page = { csrf: csrfToken(secret), email, error: WRONG_CREDENTIALS, unsent: unsentForm(request) };
      return { view: <SignInPage {...page} />, status: 422 };
    }
    const { agents } = answer;
    if (agents.length === 1) return this.signIns.afterPassword(request, agents[0]!);
    await this.credentials.offer(secret, agents, this.browserSessions.returnTo(request) ?? '/');
    return { view: <ChooseAccountPage csrf={csrfToken(secret)} agents={agents} /> };
  }

  /** Only offers agents whose password this browser has just sent. */
  @Post('sign-in/account')
  async chooseAccount(@Req() request: FastifyRequest): Promise<PageResponse> {
    const { form, secret } = this.browserSessions.anonymousForm(request);
    const chosen = await this.credentials.choose(secret, form.text('agent'));
    return chosen ? this.signIns.afterPassword(request, chosen, chosen.returnTo) : { redirect: '/sign-in' };
  }

  @Post('sign-out')
  async signOut(@Req() request: FastifyRequest, @Query('return_to') returnTo: unknown): Promise<PageResponse> {
    const signedIn = await this.browserSessions.find(request);
    if (!signedIn) return { redirect: '/sign-in' };
    requireCsrfToken(request, { secret: signedIn.secret, token: new FormFields(request.body).text('csrf') });
    return this.browserSessions.signOut(request, typeof returnTo === 'string' ? localPath(returnTo) : undefined);
  }
}
