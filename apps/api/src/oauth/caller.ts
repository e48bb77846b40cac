import type { Principal } from '#libs/access';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Who calls, for which account, with which rights: what the guard found behind the token. */
export interface Caller extends Principal {
  readonly requestId: string;
  /** The tags of `If-Match`, where the client changes only what it has read. */
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
