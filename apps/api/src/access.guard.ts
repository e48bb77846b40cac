import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { BearerGuard } from './layers/oauth/bearer.guard.js';
import { SessionGuard } from './layers/sign-in/session.guard.js';
import { ACCESS_KEY, type Access } from './layers/edge/caller.js';

/** A controller without a declaration needs an access token. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly bearer: BearerGuard,
    private readonly session: SessionGuard,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const declared = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS_KEY, declared);
    if (access === 'public') return true;
    return access === 'session' ? this.session.canActivate(context) : this.bearer.canActivate(context);
  }
}
