import type { Bearer } from '#libs/access';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Who calls, for which account, with which rights: what the guard found behind the token. */
export interface Caller extends Bearer {
  readonly requestId: string;
}

export type AuthenticatedRequest = FastifyRequest & { caller?: Caller };

/** The caller of a route that the bearer guard protects: `read(@Caller() caller: Caller)`. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!caller) throw new Error('@Caller() stands on a route without @UseGuards(BearerGuard)');
  return caller;
});
