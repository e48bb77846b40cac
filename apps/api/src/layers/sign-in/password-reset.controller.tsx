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
import { SignInsService } from './sign-ins.service.js';
import { Alert, CardLayout, CardLink, CardField } from '../ui/layout.js';
import { CardForm } from './sign-in.page.js';

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

function ForgotPasswordPage({ csrf }: { readonly csrf: string }) {
  return (
    <CardLayout title="Forgot password?">
      <p>Enter your email address. We will send you a link to set a new password.</p>
      <CardForm csrf={csrf} action="/forgot-password" submit="Send link">
        <CardField label="Email" name="email" type="email" autocomplete="username" autofocus />
      </CardForm>
      <BackToSignIn />
    </CardLayout>
  );
}

const BackToSignIn = () => <CardLink to="/sign-in" text="Back to sign in" />;

function NoMailPage() {
  return (
    <CardLayout title="Forgot password?">
      <p>
        Email is not set up here, so we cannot send a link. Ask the operator of this installation for one: the command
        line creates it.
      </p>
      <BackToSignIn />
    </CardLayout>
  );
}

/** Must be the same for known and unknown addresses. */
function LinkSentPage() {
  return (
    <CardLayout title="Check your email">
      <p role="status">
        If this address belongs to an agent, we have sent a link to it. The link works once and expires in 1 hour.
      </p>
      <BackToSignIn />
    </CardLayout>
  );
}

interface SetPasswordProps {
  readonly csrf: string;
  readonly error?: string | undefined;
  readonly holder: LinkRecipient;
  readonly path: string;
}

function SetPasswordPage({ csrf, error, holder, path }: SetPasswordProps) {
  const invited = holder.purpose === 'invitation';
  return (
    <CardLayout title={invited ? `Join ${holder.account}` : 'Set a new password'}>
      <Alert>{error}</Alert>
      <p>
        {invited ? `You were invited to join the support team of ${holder.account} as ` : `For ${holder.account}, as `}
        <strong>{holder.email}</strong>.
      </p>
      <CardForm csrf={csrf} action={path} submit={invited ? 'Join' : 'Set password'}>
        <input type="hidden" name="username" value={holder.email} autocomplete="username" />
        <CardField
          label="New password"
          name="password"
          type="password"
          autocomplete="new-password"
          minLength={10}
          hint="At least 10 characters. A few random words work well."
          autofocus
        />
      </CardForm>
    </CardLayout>
  );
}

function LinkExpiredPage() {
  return (
    <CardLayout title="This link no longer works">
      <p>It was already used, was replaced by a newer one, or has expired.</p>
      <CardLink to="/forgot-password" text="Get a new link" />
    </CardLayout>
  );
}
