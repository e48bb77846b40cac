import { type CanActivate, type ExecutionContext, Injectable, SetMetadata, createParamDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { SignInRequired } from '../ui/page-response.js';
import { BrowserSessionsService, type BrowserSession } from './browser-sessions.service.js';
import { requireCsrfToken } from '../ui/csrf.js';
import { FormFields } from '../ui/form-fields.js';
import { pageOfForm } from './return-paths.js';

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
