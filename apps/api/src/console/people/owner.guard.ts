import { Forbidden } from '#libs/entities';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { meOf } from '../../sign-in/session.guard.js';

/** What concerns the whole installation is for owners alone. */
@Injectable()
export class OwnerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { role } = meOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (role !== 'owner') throw new Forbidden('role_not_allowed', 'Only the owner may see this page.');
    return true;
  }
}
