import { SessionsService, type AuthenticatedSession, randomToken } from '#libs/access';
import { parseUrl } from '#libs/settings';
import type { FastifyRequest } from 'fastify';
import { Injectable, type CanActivate, type ExecutionContext, SetMetadata, createParamDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FormFields } from '../ui/form-fields.js';
import { type Redirect, SignInRequired } from '../ui/page-response.js';
import { CookiesService, SignedCookiesService } from '../ui/cookies.service.js';
import { csrfToken, requireCsrfToken } from '../ui/csrf.js';

/** The page with this form: a ticket beside its list, or the referrer. */
export function pageOfForm({ url, headers, body }: Pick<FastifyRequest, 'url' | 'headers' | 'body'>): string {
  const [, ticket] = /^(\/tickets\/\d{1,9})\//.exec(url) ?? [];
  if (ticket) return [ticket, new FormFields(body).text('back')].filter(Boolean).join('?');
  const { referer = '', host } = headers;
  const page = parseUrl(referer);
  return page?.host === host && page ? `${page.pathname}${page.search}` : '/';
}

/** Must fit in a cookie of 4 KiB, encoded and signed. */
export const MAX_RETURN_TO_CHARACTERS = 2048;

/** To a browser, `//evil` and `/\evil` are other hosts. */
export const localPath = (text: string | undefined): string =>
  text && /^\/(?![/\\])[\u0021-\u007e]*$/.test(text) ? text : '/';

/** The query may be too long for the cookie. */
function returnablePath(text: string): string {
  const path = localPath(text);
  const candidates = [path, path.split('?', 1)[0]!];
  return candidates.find(({ length }) => length <= MAX_RETURN_TO_CHARACTERS) ?? '/';
}

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

  redirectToSignIn(request: FastifyRequest, returnTo: string, form?: UnsentForm): Redirect {
    const { secret, cookies } = this.anonymousSession(request);
    const text = returnablePath(returnTo);
    const kept = this.signedCookies.set('return-to', { text, lifeMs: RETURN_TO_LIFE_MS, boundTo: secret });
    return { redirect: form ? `/sign-in?unsent=${form}` : '/sign-in', cookies: [...cookies, kept] };
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

type SessionRequest = FastifyRequest & { session?: BrowserSession };

export const TWO_FACTOR_PATH = '/profile/two-factor';

const OPEN_KEY = 'sign-in:without-two-factor';

/** Also admits agents who must set up two-factor sign-in first. */
export const WithoutTwoFactor = () => SetMetadata(OPEN_KEY, true);

/** Also checks the CSRF token of every form. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    const isOpen = this.reflector.get<boolean | undefined>(OPEN_KEY, context.getClass());
    const signedIn = await (isOpen ? this.browserSessions.find(request) : this.browserSessions.current(request));
    // A redirect is useless to a stream.
    if (!signedIn && isStream(request)) throw new SignInRequired();
    if (!signedIn && isSafe(request))
      throw new SignInRequired(this.browserSessions.redirectToSignIn(request, request.url));
    if (!signedIn)
      throw new SignInRequired(this.browserSessions.redirectToSignIn(request, pageOfForm(request), 'lost'));
    if (!isSafe(request)) {
      const token = new FormFields(request.body).text('csrf') || String(request.headers['x-csrf-token'] ?? '');
      requireCsrfToken(request, { secret: signedIn.secret, token });
    }
    request.session = signedIn;
    return true;
  }
}

const isStream = ({ headers }: FastifyRequest): boolean => headers.accept === 'text/event-stream';

const isSafe = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

export type Me = BrowserSession;
export const Me = createParamDecorator((_: unknown, context: ExecutionContext): BrowserSession =>
  meOf(context.switchToHttp().getRequest<SessionRequest>()),
);

export function meOf({ session }: SessionRequest): BrowserSession {
  if (!session) throw new Error('@Me() needs a route with @SignedIn()');
  return session;
}
