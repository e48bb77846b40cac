import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** `session`: a signed-in browser. `visit`: one that is not, on its way. The other two only change how pages look. */
export type CookieName = 'session' | 'visit' | 'notice' | 'preferences';

/** Lax, not Strict: applications send people here from their own site, and those must be found signed in. */
@Injectable()
export class Cookies {
  private readonly secure: boolean;

  constructor(@Inject(SETTINGS_TOKEN) settings: Settings) {
    this.secure = settings.PUBLIC_URL.startsWith('https:');
  }

  read(request: Pick<FastifyRequest, 'headers'>, name: CookieName): string | undefined {
    const wanted = `${this.fullName(name)}=`;
    const pairs = request.headers.cookie?.split(';').map((pair) => pair.trim()) ?? [];
    return pairs.find((pair) => pair.startsWith(wanted))?.slice(wanted.length) || undefined;
  }

  set(name: CookieName, value: string, expires?: Date): string {
    return this.write(name, value, expires);
  }

  clear(name: CookieName): string {
    return this.write(name, '', new Date(0));
  }

  /** `__Host-`: a browser takes it only over https, from this very host, so no neighbour's page can plant one. */
  private fullName(name: CookieName): string {
    return `${this.secure ? '__Host-' : ''}deskwire-${name}`;
  }

  /** The values are tokens of ours, whose letters need no escaping. */
  private write(name: CookieName, value: string, expires?: Date): string {
    const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(this.secure ? ['Secure'] : [])];
    const end = expires ? [`Expires=${expires.toUTCString()}`] : [];
    return [`${this.fullName(name)}=${value}`, ...attributes, ...end].join('; ');
  }
}
