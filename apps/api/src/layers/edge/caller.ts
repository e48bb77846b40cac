import type { Principal } from '#libs/access';
import type { AccountScope } from '#libs/database';
import type { Actor } from '#libs/events';
import { type ExecutionContext, SetMetadata, createParamDecorator } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const ACCESS_KEY = 'http:access';

/** A controller without a declaration needs an access token. */
export type Access = 'session' | 'public';

export const Public = () => SetMetadata(ACCESS_KEY, 'public' satisfies Access);

export const SignedIn = () => SetMetadata(ACCESS_KEY, 'session' satisfies Access);

export interface Caller extends Principal, Pick<AccountScope, 'precondition'>, Pick<Actor, 'origin' | 'traceparent'> {
  readonly requestId: string;
  readonly ifMatch?: readonly string[];
}

export type AuthenticatedRequest = FastifyRequest & { caller?: Caller };

export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller, headers } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!caller) throw new Error('@Caller() needs a route that requires an access token');
  const ifMatch = headers['if-match'];
  return ifMatch === undefined || ifMatch.trim() === '*' ? caller : { ...caller, ifMatch: tagsOf(ifMatch) };
});

export type Exchange = { readonly request: AuthenticatedRequest; readonly reply: FastifyReply };

export const Exchange = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest(), reply: http.getResponse() };
});

/** Our tags are strong, but a proxy that compresses responses makes them weak. */
const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
