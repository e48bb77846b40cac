import { type LinkRecipient, SingleUseLinksService, ThrottlesService } from '#libs/access';
import { DomainError } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PageResponse } from '../pages/page-response.js';
import { BrowserSessions } from './browser-sessions.js';
import { csrfToken } from '../pages/csrf.js';
import { FormFields } from '../pages/form-fields.js';
import { LinkMailer } from './link-mailer.js';
import { ForgotPasswordPage, LinkSentPage, LinkExpiredPage, SetPasswordPage } from './password-reset.page.js';
import { tooManyAttempts } from './sign-in.service.js';

const HOUR = 3600;

/** Sets passwords through a link that was mailed to the agent. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly browserSessions: BrowserSessions,
    private readonly links: SingleUseLinksService,
    private readonly mail: LinkMailer,
    private readonly throttles: ThrottlesService,
  ) {}

  showForgotten(request: FastifyRequest): PageResponse {
    const { secret, cookies } = this.browserSessions.anonymousSession(request);
    return { view: <ForgotPasswordPage csrf={csrfToken(secret)} />, cookies };
  }

  async sendLink(request: FastifyRequest): Promise<PageResponse> {
    const form = new FormFields(request.body);
    this.browserSessions.requireAnonymousCsrf(request, form);
    const email = form.text('email').trim().toLowerCase();
    const wait = await this.throttles.consume([
      { name: 'link e-mail', key: email, max: 5, seconds: HOUR },
      { name: 'link address', key: request.ip, max: 30, seconds: HOUR },
    ]);
    if (wait > 0) return tooManyAttempts(wait);
    // Nobody waits for it, because the time it takes would show whether the address is known.
    void this.mail.sendToAll(() => this.links.issueForEmail(email));
    return { view: <LinkSentPage /> };
  }

  async showSetPassword(request: FastifyRequest, token: string): Promise<PageResponse> {
    const holder = await this.links.find(token);
    if (!holder) return linkExpired();
    const { secret, cookies } = this.browserSessions.anonymousSession(request);
    return { ...this.setPasswordPage(holder, token, secret), cookies };
  }

  async setPassword(request: FastifyRequest, token: string): Promise<PageResponse> {
    const form = new FormFields(request.body);
    const secret = this.browserSessions.requireAnonymousCsrf(request, form);
    const holder = await this.links.find(token);
    if (!holder) return linkExpired();
    try {
      const agent = await this.links.redeem(token, form.text('password'));
      return agent ? await this.browserSessions.signIn(request, agent) : linkExpired();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { ...this.setPasswordPage(holder, token, secret, error.message), status: 422 };
    }
  }

  private setPasswordPage(holder: LinkRecipient, token: string, secret: string, error?: string) {
    const path = `/set-password/${token}`;
    return { view: <SetPasswordPage csrf={csrfToken(secret)} holder={holder} path={path} error={error} /> };
  }
}

const linkExpired = (): PageResponse => ({ view: <LinkExpiredPage />, status: 404 });
