import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * `visit`: a browser before sign-in. `return-to`: the address after it. `challenge`: a sign-in that waits for its code.
 * `known-browser`: the people who signed in before.
 */
export type CookieName =
  | 'session'
  | 'visit'
  | 'return-to'
  | 'challenge'
  | 'known-browser'
  | 'notice'
  | 'preferences'
  | 'last-mailbox';

/** SameSite is Lax, so that people who come from the site of an application are signed in. */
@Injectable()
export class CookiesService {
  private readonly secure: boolean;

  constructor(@Inject(SETTINGS_TOKEN) settings: Settings) {
    this.secure = settings.PUBLIC_URL.startsWith('https:');
  }

  read(request: Pick<FastifyRequest, 'headers'>, name: CookieName): string | undefined {
    const wanted = `${this.fullName(name)}=`;
    const pairs = request.headers.cookie?.split(';').map((pair) => pair.trim()) ?? [];
    return pairs.find((pair) => pair.startsWith(wanted))?.slice(wanted.length) || undefined;
  }

  /** Values are tokens of the product and need no escaping. */
  set(name: CookieName, value: string, expires?: Date): string {
    const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(this.secure ? ['Secure'] : [])];
    const end = expires ? [`Expires=${expires.toUTCString()}`] : [];
    return [`${this.fullName(name)}=${value}`, ...attributes, ...end].join('; ');
  }

  clear(name: CookieName): string {
    return this.set(name, '', new Date(0));
  }

  /** No other subdomain can set a `__Host-` cookie, but browsers accept it over HTTPS only. */
  private fullName(name: CookieName): string {
    return `${this.secure ? '__Host-' : ''}deskwire-${name}`;
  }
}
