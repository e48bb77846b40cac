import { type AgentRole, Forbidden, manages } from '#libs/entities';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { meOf } from '../sign-in/session.guard.js';

/** Who may open a page. */
export type Audience = 'agents' | 'managers' | 'owner';

export const AUDIENCE_KEY = 'console:audience';

export function mayOpen(audience: Audience, role: AgentRole): boolean {
  if (audience === 'agents') return true;
  return audience === 'managers' ? manages(role) : role === 'owner';
}

const REFUSALS: Readonly<Record<Audience, string>> = {
  agents: 'Only agents may see this page.',
  managers: 'Only owners and admins may see this page.',
  owner: 'Only the owner may see this page.',
};

/** Refuses whoever a page is not for. The services check again what may be done there. */
@Injectable()
export class AudienceGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const audience = this.reflector.get<Audience>(AUDIENCE_KEY, context.getClass());
    const { role } = meOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (!mayOpen(audience, role)) throw new Forbidden('role_not_allowed', REFUSALS[audience]);
    return true;
  }
}
