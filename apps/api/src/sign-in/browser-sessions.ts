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
import type { FormFields } from '../pages/form-fields.js';

/** Somebody signed in, as a page handler gets them; enough to act for them. */
export interface BrowserSession extends AuthenticatedSession {
  readonly requestId: string;
  /** The secret of the session, for proving forms. */
  readonly secret: string;
  /** For the forms of pages: `<Csrf token={me.csrf} />`. */
  readonly csrf: string;
}

/** Browsers and their cookies: who is signed in, and who is on the way to it. */
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

  /** The browser comes back to `returnTo` when it is signed in; it is kept here, where nobody else can set it. */
  async redirectToSignIn(request: FastifyRequest, returnTo: string): Promise<Redirect> {
    const { secret, cookies } = this.anonymousSession(request);
    await this.pendingSignIns.saveReturnTo(secret, returnTo);
    return { redirect: '/sign-in', cookies };
  }

  /** The secret of a browser that is not signed in, and the cookie that gives it one if it has none yet. */
  anonymousSession(request: FastifyRequest): { secret: string; cookies: string[] } {
    const known = this.cookies.read(request, 'visit');
    const secret = known && /^[\w-]{43}$/.test(known) ? known : randomToken();
    return { secret, cookies: secret === known ? [] : [this.cookies.set('visit', secret)] };
  }

  /** The secret of a browser that is not signed in and sent a form of ours. */
  requireAnonymousCsrf(request: FastifyRequest, form: FormFields): string {
    const secret = this.cookies.read(request, 'visit') ?? '';
    requireCsrfToken(request, { secret, token: form.text('csrf') });
    return secret;
  }

  /** Ends the visit and any session the browser had, opens a new one and goes where the visit wanted to go. */
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

/** A path here, never another host: `//evil` and `/\evil` are hosts to a browser. */
export const localPath = (text: string | undefined): string =>
  text && /^\/(?![/\\])[\u0021-\u007e]*$/.test(text) ? text : '/';
