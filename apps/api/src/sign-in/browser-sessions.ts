import {
  type BrowserInfo,
  type SignInCandidate,
  SessionsService,
  type AuthenticatedSession,
  PendingSignInsService,
  randomToken,
} from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Redirect } from '../pages/page-response.js';
import { Cookies } from '../pages/cookies.js';
import { csrfToken, requireCsrfToken } from '../pages/csrf.js';
import { FormFields } from '../pages/form-fields.js';

/** A person who is signed in, as page handlers get it. */
export interface BrowserSession extends AuthenticatedSession {
  readonly requestId: string;
  /** The secret of the session, from which CSRF tokens are made. */
  readonly secret: string;
  /** For forms: `<CsrfField token={me.csrf} />`. */
  readonly csrf: string;
}

/** The cookies of browsers that are signed in or are about to sign in. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly cookies: Cookies,
    private readonly sessions: SessionsService,
    private readonly pendingSignIns: PendingSignInsService,
  ) {}

  /** One round trip (`session_find`). */
  async current(request: FastifyRequest): Promise<BrowserSession | undefined> {
    const secret = this.cookies.read(request, 'session');
    const found = secret && (await this.sessions.find(secret));
    return found ? { ...found, requestId: request.id, secret, csrf: csrfToken(secret) } : undefined;
  }

  /** After signing in, the browser returns to `returnTo`. It is stored here, where nobody else can set it. */
  async redirectToSignIn(request: FastifyRequest, returnTo: string): Promise<Redirect> {
    const { secret, cookies } = this.anonymousSession(request);
    await this.pendingSignIns.saveReturnTo(secret, returnTo);
    return { redirect: '/sign-in', cookies };
  }

  /** The secret of a browser that is not signed in, with a cookie if the secret is new. */
  anonymousSession(request: FastifyRequest): { secret: string; cookies: string[] } {
    const known = this.cookies.read(request, 'visit');
    const secret = known && /^[\w-]{43}$/.test(known) ? known : randomToken();
    return { secret, cookies: secret === known ? [] : [this.cookies.set('visit', secret)] };
  }

  /** A form from a browser that is not signed in, checked, with the browser's secret. */
  anonymousForm(request: FastifyRequest): { form: FormFields; secret: string } {
    const form = new FormFields(request.body);
    const secret = this.cookies.read(request, 'visit') ?? '';
    requireCsrfToken(request, { secret, token: form.text('csrf') });
    return { form, secret };
  }

  /** Ends the visit and any previous session, opens a session, and leads to the page that was wanted. */
  async signIn(request: FastifyRequest, agent: Pick<SignInCandidate, 'id' | 'accountId'>): Promise<Redirect> {
    await this.closeSession(request);
    const { token, expiresAt } = await this.sessions.open(agent, browserInfoOf(request));
    const visit = this.cookies.read(request, 'visit');
    const returnTo = visit && (await this.pendingSignIns.finish(visit));
    const cookies = [this.cookies.set('session', token, expiresAt), this.cookies.clear('visit')];
    return { redirect: localPath(returnTo), cookies };
  }

  async signOut(request: FastifyRequest, returnTo?: string): Promise<Redirect> {
    await this.closeSession(request);
    const cleared = this.cookies.clear('session');
    if (!returnTo) return { redirect: '/sign-in', cookies: [cleared] };
    const { redirect, cookies } = await this.redirectToSignIn(request, localPath(returnTo));
    return { redirect, cookies: [cleared, ...(cookies ?? [])] };
  }

  private async closeSession(request: FastifyRequest): Promise<void> {
    const secret = this.cookies.read(request, 'session');
    if (secret) await this.sessions.close(secret);
  }
}

const browserInfoOf = (request: FastifyRequest): BrowserInfo => ({
  userAgent: request.headers['user-agent'] ?? '',
  address: request.ip,
});

/** Only a path of this site. To a browser, `//evil` and `/\evil` are other hosts. */
export const localPath = (text: string | undefined): string =>
  text && /^\/(?![/\\])[\u0021-\u007e]*$/.test(text) ? text : '/';
