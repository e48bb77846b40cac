import type { Principal } from '#libs/access';
import { type ExecutionContext, SetMetadata, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export const ACCESS_KEY = 'http:access';

/** A controller without a declaration needs an access token. */
export type Access = 'session' | 'public';

export const Public = () => SetMetadata(ACCESS_KEY, 'public' satisfies Access);

/** Requires a session of the console. */
export const SignedIn = () => SetMetadata(ACCESS_KEY, 'session' satisfies Access);

/** The agent, account and scopes of the access token. */
export interface Caller extends Principal {
  readonly requestId: string;
  /** The entity tags of `If-Match`. */
  readonly ifMatch?: readonly string[];
}

export type AuthenticatedRequest = FastifyRequest & { caller?: Caller };

/** Injects the caller of a route that needs an access token. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller, headers } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!caller) throw new Error('@Caller() needs a route that requires an access token');
  const ifMatch = headers['if-match'];
  return ifMatch === undefined || ifMatch.trim() === '*' ? caller : { ...caller, ifMatch: tagsOf(ifMatch) };
});

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim());
