import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { BearerGuard } from '../oauth/bearer.guard.js';
import { SessionGuard } from '../sign-in/session.guard.js';
import { ACCESS_KEY, type Access } from './access.decorator.js';

/** Runs before every route. A controller that declares nothing needs an access token, so it is never open by mistake. */
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
    return access === 'public' || (access === 'session' ? this.session : this.bearer).canActivate(context);
  }
}
