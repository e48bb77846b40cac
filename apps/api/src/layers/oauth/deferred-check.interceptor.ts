import { PrincipalChanged } from '#libs/access';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, catchError, lastValueFrom } from 'rxjs';
import type { AuthenticatedRequest } from '../edge/caller.js';
import { BearerGuard } from './bearer.guard.js';

/** A dead token gets 401, whatever else is wrong with its request. After a change of role, the handler runs again. */
@Injectable()
export class DeferredCheckInterceptor implements NestInterceptor {
  constructor(private readonly bearer: BearerGuard) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { caller } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!caller?.precondition) return next.handle();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        await this.bearer.check(context);
        if (!(error instanceof PrincipalChanged)) throw error;
        return lastValueFrom<unknown>(next.handle());
      }),
    );
  }
}
