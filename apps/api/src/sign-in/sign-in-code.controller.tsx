import { type ChallengeAnswer, SecondFactorsService } from '#libs/access';
import { Controller, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../edge/caller.js';
import { CookiesService } from '../ui/cookies.service.js';
import { csrfToken } from '../ui/csrf.js';
import { HtmlPages } from '../ui/html-pages.decorator.js';
import type { PageResponse } from '../ui/page-response.js';
import { writeNotice } from '../ui/preferences.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import { KnownBrowsersService } from './known-browsers.service.js';
import { CodePage, RecoveryCodePage, StartAgainPage } from './sign-in.page.js';
import { SignInsService } from './sign-ins.service.js';

const RECOVERY_CODE_USED = 'You used one of your recovery codes. Your profile says how many are left.';

const TOO_MANY_CODES = 'Too many wrong codes today. Use a recovery code, or a browser that you used before.';

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

  private async answer(
    request: FastifyRequest,
    kind: ChallengeAnswer['kind'],
    Page: typeof CodePage,
  ): Promise<PageResponse> {
    const { form, secret } = this.browserSessions.anonymousForm(request);
    const token = this.cookies.read(request, 'challenge') ?? '';
    const from = (email: string): string => this.knownBrowsers.idFor(request, email) ?? 'unknown browsers';
    const result = await this.secondFactors.answerChallenge(token, { kind, typed: form.text('code'), from });
    if (result.kind === 'passed') return this.signIns.open(request, result.agent, result.returnTo);
    if (result.kind === 'over')
      return { view: <StartAgainPage />, status: 422, cookies: [this.cookies.clear('challenge')] };
    const again = (error: string) => <Page csrf={csrfToken(secret)} error={error} />;
    if (result.kind === 'refused') return { view: again(wrongCode(result.triesLeft)), status: 422 };
    return { view: again(TOO_MANY_CODES), status: 429, retryAfterSeconds: result.retryAfterSeconds };
  }
}

const wrongCode = (triesLeft: number): string =>
  `This code is wrong, or was used before. ${triesLeft === 1 ? 'One try is' : `${triesLeft} tries are`} left.`;
