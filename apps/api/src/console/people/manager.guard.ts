import { Forbidden, manages } from '#libs/entities';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { meOf } from '../../sign-in/session.guard.js';

/** Pages that only owners and admins see. What they do is refused by the services once more. */
@Injectable()
export class ManagerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { role } = meOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (!manages(role)) throw new Forbidden('role_not_allowed', 'Only owners and admins may see this page.');
    return true;
  }
}
