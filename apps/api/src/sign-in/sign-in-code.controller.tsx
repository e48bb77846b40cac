import { type ChallengeAnswer, type ChallengeResult, SignInChallengesService } from '#libs/access';
import { Controller, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../edge/caller.js';
import { CookiesService } from '../ui/cookies.service.js';
import { csrfToken } from '../ui/csrf.js';
import { HtmlPages } from '../ui/html-pages.decorator.js';
import type { PageContent, PageResponse } from '../ui/page-response.js';
import { writeNotice } from '../ui/preferences.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import { KnownBrowsersService } from './known-browsers.service.js';
import { CodePage, RecoveryCodePage, StartAgainPage } from './sign-in-code.page.js';
import { SignInsService } from './sign-ins.service.js';

const RECOVERY_CODE_USED = 'You used one of your recovery codes. Your profile says how many are left.';

@Controller('sign-in')
@Public()
@HtmlPages()
export class SignInCodeController {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly challenges: SignInChallengesService,
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
  async tryCode(@Req() request: FastifyRequest): Promise<PageResponse> {
    const { result, csrf } = await this.answer(request, 'code');
    if (result.kind === 'passed') return this.signIns.open(request, result.agent, result.returnTo);
    if (result.kind === 'over') return this.startAgain();
    if (result.kind === 'refused')
      return { view: <CodePage csrf={csrf} error={wrongCode(result.triesLeft)} />, status: 422 };
    return { ...tooManyCodes(csrf), retryAfterSeconds: result.retryAfterSeconds };
  }

  @Post('recovery-code')
  async tryRecoveryCode(@Req() request: FastifyRequest): Promise<PageResponse> {
    const { result, csrf } = await this.answer(request, 'recovery_code');
    if (result.kind === 'passed') {
      const { redirect, cookies = [] } = await this.signIns.open(request, result.agent, result.returnTo);
      const notice = this.cookies.set('notice', writeNotice({ tone: 'good', text: RECOVERY_CODE_USED }));
      return { redirect, cookies: [...cookies, notice] };
    }
    if (result.kind !== 'refused') return this.startAgain();
    return { view: <RecoveryCodePage csrf={csrf} error={wrongCode(result.triesLeft)} />, status: 422 };
  }

  private async show(request: FastifyRequest, Page: typeof CodePage): Promise<PageResponse> {
    const token = this.cookies.read(request, 'challenge');
    if (!token || !(await this.challenges.isOpen(token))) return { redirect: '/sign-in' };
    const { secret, cookies } = this.browserSessions.anonymousSession(request);
    return { view: <Page csrf={csrfToken(secret)} />, cookies };
  }

  private async answer(
    request: FastifyRequest,
    kind: ChallengeAnswer['kind'],
  ): Promise<{ result: ChallengeResult; csrf: string }> {
    const { form, secret } = this.browserSessions.anonymousForm(request);
    const token = this.cookies.read(request, 'challenge') ?? '';
    const from = (email: string): string => this.knownBrowsers.idFor(request, email) ?? 'unknown browsers';
    const result = await this.challenges.answer(token, { kind, typed: form.text('code'), from });
    return { result, csrf: csrfToken(secret) };
  }

  private startAgain(): PageContent {
    return { view: <StartAgainPage />, status: 422, cookies: [this.cookies.clear('challenge')] };
  }
}

const wrongCode = (triesLeft: number): string =>
  `This code is wrong, or was used before. ${triesLeft === 1 ? 'One try is' : `${triesLeft} tries are`} left.`;

const tooManyCodes = (csrf: string): PageContent => ({
  view: (
    <CodePage csrf={csrf} error="Too many wrong codes today. Use a recovery code, or a browser that you used before." />
  ),
  status: 429,
});
