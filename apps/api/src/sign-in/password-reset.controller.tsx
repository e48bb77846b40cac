import { type LinkRecipient, SingleUseLinksService, ThrottlesService, linkLimits } from '#libs/access';
import { DomainError } from '#libs/entities';
import { mailRoute } from '#libs/mail';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Controller, Get, Inject, Injectable, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../edge/caller.js';
import { csrfToken } from '../ui/csrf.js';
import { tooManyAttemptsPage } from '../ui/error.page.js';
import { HtmlPages } from '../ui/html-pages.decorator.js';
import type { PageResponse } from '../ui/page-response.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import { SignInsService } from './sign-ins.service.js';
import {
  ForgotPasswordPage,
  LinkExpiredPage,
  LinkSentPage,
  NoMailPage,
  SetPasswordPage,
} from './password-reset.page.js';

@Injectable()
export class PasswordLinksService {
  readonly canMail: boolean;

  constructor(
    @Inject(SETTINGS_TOKEN) settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly links: SingleUseLinksService,
  ) {
    this.canMail = mailRoute(settings) === 'smtp';
  }

  /** Never throws, because the caller does not await it. */
  async mailTo(email: string): Promise<void> {
    try {
      await this.links.mailTo(email);
    } catch (error) {
      this.logger.error({ err: error }, 'links not sent');
    }
  }
}

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
