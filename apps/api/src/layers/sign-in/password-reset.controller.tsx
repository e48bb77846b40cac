import { type LinkRecipient, SingleUseLinksService, ThrottlesService, linkLimits } from '#libs/access';
import { DomainError } from '#libs/entities';
import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../edge/caller.js';
import { csrfToken } from '../ui/csrf.js';
import { tooManyAttemptsPage } from '../ui/error.page.js';
import { HtmlPages } from '../ui/html-pages.decorator.js';
import type { PageResponse } from '../ui/page-response.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import { PasswordLinksService } from './password-links.service.js';
import {
  ForgotPasswordPage,
  LinkExpiredPage,
  LinkSentPage,
  NoMailPage,
  SetPasswordPage,
} from './password-reset.page.js';
import { SignInsService } from './sign-ins.service.js';

@Controller()
@Public()
@HtmlPages()
export class PasswordResetController {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly links: SingleUseLinksService,
    private readonly passwordLinks: PasswordLinksService,
    private readonly throttles: ThrottlesService,
    private readonly signIns: SignInsService,
  ) {}

  @Get('forgot-password')
  showForgotten(@Req() request: FastifyRequest): PageResponse {
    if (!this.passwordLinks.canMail) return { view: <NoMailPage /> };
    const { secret, cookies } = this.browserSessions.anonymousSession(request);
    return { view: <ForgotPasswordPage csrf={csrfToken(secret)} />, cookies };
  }

  @Post('forgot-password')
  async sendLink(@Req() request: FastifyRequest): Promise<PageResponse> {
    const { form } = this.browserSessions.anonymousForm(request);
    const email = form.text('email').trim().toLowerCase();
    const wait = await this.throttles.consume(linkLimits(email, request.ip));
    if (wait > 0) return tooManyAttemptsPage(wait);
    if (!this.passwordLinks.canMail) return { view: <NoMailPage /> };
    // Not awaited, because its time would reveal whether the address is known.
    void this.passwordLinks.mailTo(email);
    return { view: <LinkSentPage /> };
  }

  @Get('set-password/:token')
  async showSetPassword(@Req() request: FastifyRequest, @Param('token') token: string): Promise<PageResponse> {
    const holder = await this.links.find(token);
    if (!holder) return linkExpired();
    const { secret, cookies } = this.browserSessions.anonymousSession(request);
    return { ...this.setPasswordPage(holder, token, secret), cookies };
  }

  @Post('set-password/:token')
  async setPassword(@Req() request: FastifyRequest, @Param('token') token: string): Promise<PageResponse> {
    const { form, secret } = this.browserSessions.anonymousForm(request);
    const holder = await this.links.find(token);
    if (!holder) return linkExpired();
    try {
      const agent = await this.links.redeem(token, form.text('password'));
      return agent ? await this.signIns.afterPassword(request, agent) : linkExpired();
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      return { ...this.setPasswordPage(holder, token, secret, error.message), status: 422 };
    }
  }

  private setPasswordPage(holder: LinkRecipient, token: string, secret: string, error?: string) {
    const path = `/set-password/${token}`;
    return { view: <SetPasswordPage csrf={csrfToken(secret)} holder={holder} path={path} error={error} /> };
  }
}

const linkExpired = (): PageResponse => ({ view: <LinkExpiredPage />, status: 404 });
