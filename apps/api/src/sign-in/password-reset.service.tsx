import { type LinkHolder, SingleUseLinks, Throttles } from '#libs/access';
import { Refusal } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PageAnswer } from '../pages/page.js';
import { Browsers } from './browsers.js';
import { csrfToken, refuseForgedForm } from '../pages/csrf.js';
import { Form } from '../pages/form.js';
import { LinkMail } from './link-mail.js';
import { ForgotPasswordPage, LinkSentPage, LinkSpentPage, SetPasswordPage } from './password.pages.js';
import { tooMany } from './sign-in.flow.js';

const HOUR = 3600;

/** Passwords that are set without knowing one before: by a link that was sent to the agent's own e-mail. */
@Injectable()
export class PasswordFlow {
  constructor(
    private readonly browsers: Browsers,
    private readonly links: SingleUseLinks,
    private readonly mail: LinkMail,
    private readonly throttles: Throttles,
  ) {}

  showForgotten(request: FastifyRequest): PageAnswer {
    const { secret, cookies } = this.browsers.visit(request);
    return { view: <ForgotPasswordPage csrf={csrfToken(secret)} />, cookies };
  }

  async sendLink(request: FastifyRequest): Promise<PageAnswer> {
    const form = new Form(request.body);
    this.provenVisit(request, form);
    const email = form.text('email').trim().toLowerCase();
    const wait = await this.throttles.take([
      { of: 'link e-mail', by: email, most: 5, seconds: HOUR },
      { of: 'link address', by: request.ip, most: 30, seconds: HOUR },
    ]);
    if (wait > 0) return tooMany(wait);
    // Not waited for: the time it takes would tell whether there is somebody to send to.
    void this.mail.sendToAll(() => this.links.makeFor(email));
    return { view: <LinkSentPage /> };
  }

  async showSetPassword(request: FastifyRequest, token: string): Promise<PageAnswer> {
    const holder = await this.links.find(token);
    if (!holder) return spent();
    const { secret, cookies } = this.browsers.visit(request);
    return { ...this.setPasswordPage(holder, token, secret), cookies };
  }

  async setPassword(request: FastifyRequest, token: string): Promise<PageAnswer> {
    const form = new Form(request.body);
    const secret = this.provenVisit(request, form);
    const holder = await this.links.find(token);
    if (!holder) return spent();
    try {
      const agent = await this.links.spend(token, form.text('password'));
      return agent ? await this.browsers.signIn(request, agent) : spent();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ...this.setPasswordPage(holder, token, secret, error.message), status: 422 };
    }
  }

  private setPasswordPage(holder: LinkHolder, token: string, secret: string, error?: string) {
    const path = `/set-password/${token}`;
    return { view: <SetPasswordPage csrf={csrfToken(secret)} holder={holder} path={path} error={error} /> };
  }

  private provenVisit(request: FastifyRequest, form: Form): string {
    const secret = this.browsers.visitSecret(request);
    refuseForgedForm(request, { secret, token: form.text('csrf') });
    return secret ?? '';
  }
}

const spent = (): PageAnswer => ({ view: <LinkSpentPage />, status: 404 });
