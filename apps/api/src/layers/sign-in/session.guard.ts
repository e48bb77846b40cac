import type { FastifyRequest } from 'fastify';
import { Injectable, type CanActivate, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FormFields } from '../ui/form-fields.js';
import { SignInRequired } from '../ui/page-response.js';
import { requireCsrfToken } from '../ui/csrf.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import type { SessionRequest } from './me.decorator.js';
import { pageOfForm } from './sign-in-paths.js';

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
