import {
  type CanActivate,
  type ExecutionContext,
  HttpException,
  Injectable,
  createParamDecorator,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GoElsewhere } from '../pages/page.js';
import { Browsers, type SignedInBrowser } from './browsers.js';
import { refuseForgedForm } from '../pages/csrf.js';
import { Form } from '../pages/form.js';

type PageRequest = FastifyRequest & { signedIn?: SignedInBrowser };

/** Pages for people who are signed in; others sign in first and come back. Every form must prove itself. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly browsers: Browsers) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<PageRequest>();
    const signedIn = await this.browsers.signedIn(request);
    // Nobody reads a stream as a page, so there is nowhere to send it and nothing to come back to.
    if (!signedIn && isStream(request))
      throw new HttpException({ error: 'sign_in_first', detail: 'Sign in first.' }, 401);
    // A form cannot be come back to.
    if (!signedIn)
      throw new GoElsewhere(await this.browsers.sendToSignIn(request, isSafe(request) ? request.url : '/'));
    if (!isSafe(request)) {
      const token = new Form(request.body).text('csrf') || String(request.headers['x-csrf-token'] ?? '');
      refuseForgedForm(request, { secret: signedIn.secret, token });
    }
    request.signedIn = signedIn;
    return true;
  }
}

const isStream = ({ headers }: FastifyRequest): boolean => headers.accept === 'text/event-stream';

const isSafe = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** Who is signed in, on a route behind the session guard: `show(@Me() me: Me)`. */
export type Me = SignedInBrowser;
export const Me = createParamDecorator((_: unknown, context: ExecutionContext): SignedInBrowser =>
  meOf(context.switchToHttp().getRequest<PageRequest>()),
);

export function meOf({ signedIn }: PageRequest): SignedInBrowser {
  if (!signedIn) throw new Error('Only a route with @UseGuards(SessionGuard) knows who is signed in');
  return signedIn;
}
