import { SessionsService, type AuthenticatedSession, randomToken } from '#libs/access';
import type { FastifyRequest } from 'fastify';
import { Injectable } from '@nestjs/common';
import { FormFields } from '../ui/form-fields.js';
import type { Redirect } from '../ui/page-response.js';
import { CookiesService } from '../ui/cookies.service.js';
import { SignedCookiesService } from '../ui/signed-cookies.service.js';
import { csrfToken, requireCsrfToken } from '../ui/csrf.js';
import { returnablePath } from './sign-in-paths.js';

export interface BrowserSession extends AuthenticatedSession {
  readonly requestId: string;
  readonly secret: string;
  readonly csrf: string;
}

/** The fate of the text in a form that was sent after the session had ended. */
export type UnsentForm = 'kept' | 'lost';

/** A sign-in form that is open for longer fails. */
const VISIT_LIFE_MS = 24 * 3_600_000;
const RETURN_TO_LIFE_MS = 30 * 60_000;

@Injectable()
export class BrowserSessionsService {
  constructor(
    private readonly cookies: CookiesService,
    private readonly signedCookies: SignedCookiesService,
    private readonly sessions: SessionsService,
  ) {}

  /** Excludes agents who must set up two-factor sign-in first. */
  async current(request: FastifyRequest): Promise<BrowserSession | undefined> {
    const found = await this.find(request);
    return found?.owesTwoFactor ? undefined : found;
  }

  async find(request: FastifyRequest): Promise<BrowserSession | undefined> {
    const secret = this.cookies.read(request, 'session');
    const found = secret && (await this.sessions.find(secret));
    if (!found) return undefined;
    request.actor = found;
    return { ...found, requestId: request.id, secret, csrf: csrfToken(secret) };
  }

  /** With `again`, someone who is signed in has to sign in again. */
  redirectToSignIn(request: FastifyRequest, returnTo: string, form?: UnsentForm | 'again'): Redirect {
    const { secret, cookies } = this.anonymousSession(request);
    const text = returnablePath(returnTo);
    const kept = this.signedCookies.set('return-to', { text, lifeMs: RETURN_TO_LIFE_MS, boundTo: secret });
    const query = form === 'again' ? '?again=1' : `?unsent=${form}`;
    return { redirect: form ? `/sign-in${query}` : '/sign-in', cookies: [...cookies, kept] };
  }

  /** The page that was requested before the sign-in. */
  returnTo(request: FastifyRequest): string | undefined {
    const visit = this.signedCookies.read(request, 'visit');
    return visit && this.signedCookies.read(request, 'return-to', visit.text)?.text;
  }

  /** The cookie is only set if it is new or expires soon. */
  anonymousSession(request: FastifyRequest): { secret: string; cookies: string[] } {
    const visit = this.signedCookies.read(request, 'visit');
    const secret = visit?.text ?? randomToken();
    const lasts = visit && visit.msLeft > VISIT_LIFE_MS / 2;
    return {
      secret,
      cookies: lasts ? [] : [this.signedCookies.set('visit', { text: secret, lifeMs: VISIT_LIFE_MS })],
    };
  }

  /** Throws if the CSRF token is wrong. */
  anonymousForm(request: FastifyRequest): { form: FormFields; secret: string } {
    const form = new FormFields(request.body);
    const secret = this.signedCookies.read(request, 'visit')?.text ?? '';
    requireCsrfToken(request, { secret, token: form.text('csrf') });
    return { form, secret };
  }

  async signOut(request: FastifyRequest, returnTo?: string): Promise<Redirect> {
    await this.close(request);
    const cleared = this.cookies.clear('session');
    if (!returnTo) return { redirect: '/sign-in', cookies: [cleared] };
    const { redirect, cookies } = this.redirectToSignIn(request, returnTo);
    return { redirect, cookies: [cleared, ...(cookies ?? [])] };
  }

  async close(request: FastifyRequest): Promise<void> {
    const secret = this.cookies.read(request, 'session');
    if (secret) await this.sessions.close(secret);
  }
}
