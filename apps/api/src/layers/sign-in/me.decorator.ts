import type { FastifyRequest } from 'fastify';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { BrowserSession } from './browser-sessions.service.js';

export type SessionRequest = FastifyRequest & { session?: BrowserSession };

export type Me = BrowserSession;
export const Me = createParamDecorator((_: unknown, context: ExecutionContext): BrowserSession =>
  meOf(context.switchToHttp().getRequest<SessionRequest>()),
);

export function meOf({ session }: SessionRequest): BrowserSession {
  if (!session) throw new Error('@Me() needs a route with @SignedIn()');
  return session;
}
