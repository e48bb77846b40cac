import type { Principal } from '#libs/access';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The agent, account and scopes of the access token. */
export interface Caller extends Principal {
  readonly requestId: string;
  /** The entity tags of `If-Match`. */
  readonly ifMatch?: readonly string[];
}

export type AuthenticatedRequest = FastifyRequest & { caller?: Caller };

/** The caller of a route that needs an access token: `read(@Caller() caller: Caller)`. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller, headers } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!caller) throw new Error('@Caller() stands on a route that no access token opens');
  const ifMatch = headers['if-match'];
  return ifMatch === undefined || ifMatch.trim() === '*' ? caller : { ...caller, ifMatch: tagsOf(ifMatch) };
});

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim());
