import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Clock } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type CookieName, Cookies } from './cookies.js';

const PURPOSE = 'deskwire signed cookies';
const KEY_BYTES = 32;

interface SignedText {
  readonly text: string;
  readonly lifeMs: number;
  /** What else the browser has to hold, such as the secret of another cookie. */
  readonly boundTo?: string;
}

/**
 * What a browser keeps for us, so that nothing of a stranger is stored here. It is signed, so that the browser cannot
 * change it, and it expires, also if the browser keeps the cookie.
 */
@Injectable()
export class SignedCookies {
  private readonly keys: readonly Buffer[];

  /** The first key signs. Signatures of every configured key are accepted. */
  constructor(
    private readonly cookies: Cookies,
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) { SECRETS_KEY }: Settings,
  ) {
    this.keys = SECRETS_KEY.map(({ key }) => Buffer.from(hkdfSync('sha256', key, '', PURPOSE, KEY_BYTES)));
  }

  set(name: CookieName, { text, lifeMs, boundTo = '' }: SignedText): string {
    const expiresAt = this.clock.in(lifeMs);
    const claim = `${expiresAt.getTime().toString(36)}.${Buffer.from(text).toString('base64url')}`;
    const signature = signatureOf(this.keys[0]!, name, boundTo, claim);
    return this.cookies.set(name, `${claim}.${signature}`, expiresAt);
  }

  read(request: Pick<FastifyRequest, 'headers'>, name: CookieName, boundTo = ''): ReadCookie | undefined {
    const value = this.cookies.read(request, name) ?? '';
    const [, claim = '', expiry = '', encoded = '', shown = ''] =
      /^(([0-9a-z]{1,11})\.([\w-]*))\.([\w-]{43})$/.exec(value) ?? [];
    if (!this.keys.some((key) => same(shown, signatureOf(key, name, boundTo, claim)))) return undefined;
    const msLeft = Number.parseInt(expiry, 36) - this.clock.now().getTime();
    return msLeft > 0 ? { text: Buffer.from(encoded, 'base64url').toString(), msLeft } : undefined;
  }

  clear(name: CookieName): string {
    return this.cookies.clear(name);
  }
}

interface ReadCookie {
  readonly text: string;
  readonly msLeft: number;
}

/** A value of one cookie is worth nothing in another. No part has a line break, so the parts cannot be shifted. */
const signatureOf = (key: Buffer, name: CookieName, boundTo: string, claim: string): string =>
  createHmac('sha256', key).update([name, boundTo, claim].join('\n')).digest('base64url');

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
