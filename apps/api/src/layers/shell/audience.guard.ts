import { type AgentRole, Forbidden, manages } from '#libs/entities';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { meOf } from '../sign-in/me.decorator.js';

export const AUDIENCES = {
  agents: { has: () => true, refusal: 'Only agents can see this page.' },
  managers: { has: manages, refusal: 'Only owners and admins can see this page.' },
  owner: { has: (role: AgentRole) => role === 'owner', refusal: 'Only the owner can see this page.' },
};

export type Audience = keyof typeof AUDIENCES;

export const AUDIENCE_KEY = 'console:audience';

/** Refuses people outside the audience of a page. The services check permissions again. */
@Injectable()
export class AudienceGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { has, refusal } = AUDIENCES[this.reflector.get<Audience>(AUDIENCE_KEY, context.getClass())];
    const { role } = meOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (!has(role)) throw new Forbidden('role_not_allowed', refusal);
    return true;
  }
}
