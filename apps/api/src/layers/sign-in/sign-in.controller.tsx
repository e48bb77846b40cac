import { CredentialsService, type ChallengeAnswer, SecondFactorsService } from '#libs/access';
import { Controller, Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../edge/caller.js';
import { csrfToken, requireCsrfToken } from '../ui/csrf.js';
import { tooManyAttemptsPage } from '../ui/error.page.js';
import { FormFields } from '../ui/form-fields.js';
import { HtmlPages } from '../ui/html-pages.decorator.js';
import type { PageResponse } from '../ui/page-response.js';
import { BrowserSessionsService, type UnsentForm } from './browser-sessions.service.js';
import { hintedEmail, localPath, TWO_FACTOR_PATH } from './sign-in-paths.js';
import { KnownBrowsersService } from './known-browsers.service.js';
import { SignInsService } from './sign-ins.service.js';
import { ChooseAccountPage, SignInPage, CodePage, RecoveryCodePage, StartAgainPage } from './sign-in.page.js';
import { CookiesService } from '../ui/cookies.service.js';
import { writeNotice } from '../ui/preferences.js';

const unsentForm = ({ query }: FastifyRequest): UnsentForm | undefined => {
  const { unsent } = query as { unsent?: unknown };
  return unsent === 'kept' || unsent === 'lost' ? unsent : undefined;
};

const WRONG_CREDENTIALS = 'Wrong email or password.';

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
    const isAgain = Object.hasOwn(Object(request.query) as object, 'again');
    if (me && !isAgain) return { redirect: me.owesTwoFactor ? TWO_FACTOR_PATH : '/' };
    const { secret, cookies } = this.browserSessions.anonymousSession(request);
    const email = hintedEmail(this.browserSessions.returnTo(request));
    return { view: <SignInPage csrf={csrfToken(secret)} email={email} unsent={unsentForm(request)} />, cookies };
  }

  @Post('sign-in')
  async tryPassword(@Req() request: FastifyRequest): Promise<PageResponse> {
    const { form, secret } = this.browserSessions.anonymousForm(request);
    const email = form.text('email');
    const knownBrowser = (agentId: string) => this.knownBrowsers.idFor(request, agentId);
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

const RECOVERY_CODE_USED = 'You used a recovery code. Your profile shows how many are left.';

const TOO_MANY_CODES = 'Too many wrong codes today. Use a recovery code, or a browser you have signed in with before.';

@Controller('sign-in')
@Public()
@HtmlPages()
export class SignInCodeController {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly secondFactors: SecondFactorsService,
    private readonly knownBrowsers: KnownBrowsersService,
    private readonly signIns: SignInsService,
    private readonly cookies: CookiesService,
  ) {}

  @Get('code')
  showCode(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.show(request, CodePage);
  }

  @Get('recovery-code')
  showRecoveryCode(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.show(request, RecoveryCodePage);
  }

  @Post('code')
  tryCode(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.answer(request, 'code', CodePage);
  }

  @Post('recovery-code')
  async tryRecoveryCode(@Req() request: FastifyRequest): Promise<PageResponse> {
    const answer = await this.answer(request, 'recovery_code', RecoveryCodePage);
    if (!('redirect' in answer)) return answer;
    const notice = this.cookies.set('notice', writeNotice({ tone: 'good', text: RECOVERY_CODE_USED }));
    return { ...answer, cookies: [...(answer.cookies ?? []), notice] };
  }

  private async show(request: FastifyRequest, Page: typeof CodePage): Promise<PageResponse> {
    const token = this.cookies.read(request, 'challenge');
    if (!token || !(await this.secondFactors.isChallengeOpen(token))) return { redirect: '/sign-in' };
    const { secret, cookies } = this.browserSessions.anonymousSession(request);
    return { view: <Page csrf={csrfToken(secret)} />, cookies };
  }

  private async answer(request: FastifyRequest, kind: ChallengeAnswer['kind'], Page: typeof CodePage) {
    const { form, secret } = this.browserSessions.anonymousForm(request);
    const token = this.cookies.read(request, 'challenge') ?? '';
    const knownBrowser = (agentId: string) => this.knownBrowsers.idFor(request, agentId);
    const result = await this.secondFactors.answerChallenge(token, { kind, typed: form.text('code'), knownBrowser });
    if (result.kind === 'passed') return this.signIns.open(request, result.agent, result.returnTo);
    if (result.kind === 'over')
      return { view: <StartAgainPage />, status: 422, cookies: [this.cookies.clear('challenge')] };
    const again = (error: string) => <Page csrf={csrfToken(secret)} error={error} />;
    if (result.kind === 'refused') return { view: again(wrongCode(result.triesLeft)), status: 422 };
    return { view: again(TOO_MANY_CODES), status: 429, retryAfterSeconds: result.retryAfterSeconds };
  }
}

const wrongCode = (triesLeft: number): string =>
  `This code is wrong or was already used. ${triesLeft === 1 ? 'One try' : `${triesLeft} tries`} left.`;
