import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * `session`: of a signed-in browser. `visit`: of one that is not signed in yet. `return-to`: where it goes after signing
 * in. `challenge`: of one that still has to give a code. `known-browser`: who has signed in before. The others are for
 * looks and ease.
 */
export type CookieName =
  'session' | 'visit' | 'return-to' | 'challenge' | 'known-browser' | 'notice' | 'preferences' | 'last-mailbox';

/** SameSite is Lax, because people who come from the site of an application must still be signed in. */
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

  /** The values are our own tokens, which need no escaping. */
  set(name: CookieName, value: string, expires?: Date): string {
    const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(this.secure ? ['Secure'] : [])];
    const end = expires ? [`Expires=${expires.toUTCString()}`] : [];
    return [`${this.fullName(name)}=${value}`, ...attributes, ...end].join('; ');
  }

  clear(name: CookieName): string {
    return this.set(name, '', new Date(0));
  }

  /** Browsers accept `__Host-` cookies only over https and from this host, so no other subdomain can set one. */
  private fullName(name: CookieName): string {
    return `${this.secure ? '__Host-' : ''}deskwire-${name}`;
  }
}
