import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { BearerGuard } from './oauth/bearer.guard.js';
import { SessionGuard } from './sign-in/session.guard.js';
import type { AuthenticatedRequest } from './edge/caller.js';
import { ACCESS_KEY, type Access } from './edge/access.decorator.js';
import { EarlyCounts } from './edge/early-counts.js';

/** Runs before every route. A controller that declares nothing needs an access token, so it is never open by mistake. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly bearer: BearerGuard,
    private readonly session: SessionGuard,
    private readonly counts: EarlyCounts,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const declared = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS_KEY, declared);
    if (access === 'public') return true;
    return access === 'session' ? this.session.canActivate(context) : this.isOpenedByToken(context);
  }

  private async isOpenedByToken(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    this.counts.begin(request);
    try {
      return await this.bearer.canActivate(context);
    } catch (refusal) {
      this.counts.forget(request);
      throw refusal;
    }
  }
}
