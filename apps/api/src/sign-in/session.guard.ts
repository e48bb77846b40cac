import { type CanActivate, type ExecutionContext, Injectable, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SignInRequired } from '../pages/page-response.js';
import { BrowserSessions, type BrowserSession } from './browser-sessions.js';
import { requireCsrfToken } from '../pages/csrf.js';
import { FormFields } from '../pages/form-fields.js';

type SessionRequest = FastifyRequest & { session?: BrowserSession };

/** Lets in people who are signed in. Others sign in first and then come back. Every form needs its CSRF token. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly browserSessions: BrowserSessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    const signedIn = await this.browserSessions.current(request);
    // A stream is no page, so there is no use in a redirect.
    if (!signedIn && isStream(request)) throw new SignInRequired();
    // After signing in, a form cannot be sent again.
    if (!signedIn)
      throw new SignInRequired(this.browserSessions.redirectToSignIn(request, isSafe(request) ? request.url : '/'));
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

/** Who is signed in, on a route with `@SignedIn()`: `show(@Me() me: Me)`. */
export type Me = BrowserSession;
export const Me = createParamDecorator((_: unknown, context: ExecutionContext): BrowserSession =>
  meOf(context.switchToHttp().getRequest<SessionRequest>()),
);

export function meOf({ session }: SessionRequest): BrowserSession {
  if (!session) throw new Error('Only a route with @SignedIn() knows who is signed in');
  return session;
}
