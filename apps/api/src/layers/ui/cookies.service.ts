import { Clock } from '#libs/database';
import { Signatures } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/**
 * `visit`: a browser before sign-in. `return-to`: the address after it. `challenge`: a sign-in that waits for its code.
 * `known-browser`: the people who signed in before.
 */
type CookieName =
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

const PURPOSE = 'deskwire signed cookies';

/** State of strangers, in the browser instead of the database. The browser cannot change it or extend its life. */
@Injectable()
export class SignedCookiesService {
  private readonly signatures: Signatures;

  constructor(
    private readonly cookies: CookiesService,
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) { SECRETS_KEY }: Settings,
  ) {
    this.signatures = new Signatures(SECRETS_KEY, PURPOSE);
  }

  /** `boundTo` is a secret that the browser must have as well. */
  set(name: CookieName, { text, lifeMs, boundTo = '' }: { text: string; lifeMs: number; boundTo?: string }): string {
    const expiresAt = this.clock.in(lifeMs);
    const claim = `${expiresAt.getTime().toString(36)}.${Buffer.from(text).toString('base64url')}`;
    const signature = this.signatures.of(signed(name, boundTo, claim));
    return this.cookies.set(name, `${claim}.${signature}`, expiresAt);
  }

  read(request: Pick<FastifyRequest, 'headers'>, name: CookieName, boundTo = '') {
    const value = this.cookies.read(request, name) ?? '';
    const [, claim = '', expiry = '', encoded = '', shown = ''] =
      /^(([0-9a-z]{1,11})\.([\w-]*))\.([\w-]{43})$/.exec(value) ?? [];
    if (!this.signatures.isOf(signed(name, boundTo, claim), shown)) return undefined;
    const msLeft = Number.parseInt(expiry, 36) - this.clock.now().getTime();
    return msLeft > 0 ? { text: Buffer.from(encoded, 'base64url').toString(), msLeft } : undefined;
  }

  clear(name: CookieName): string {
    return this.cookies.clear(name);
  }
}

/** Binds a value to its cookie. No part has a line break, so the parts cannot be shifted. */
const signed = (name: CookieName, boundTo: string, claim: string): string => [name, boundTo, claim].join('\n');
