import { Clock } from '#libs/database';
import { Signatures } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type CookieName, CookiesService } from './cookies.service.js';

const PURPOSE = 'deskwire signed cookies';

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
export class SignedCookiesService {
  private readonly signatures: Signatures;

  constructor(
    private readonly cookies: CookiesService,
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) { SECRETS_KEY }: Settings,
  ) {
    this.signatures = new Signatures(SECRETS_KEY, PURPOSE);
  }

  set(name: CookieName, { text, lifeMs, boundTo = '' }: SignedText): string {
    const expiresAt = this.clock.in(lifeMs);
    const claim = `${expiresAt.getTime().toString(36)}.${Buffer.from(text).toString('base64url')}`;
    const signature = this.signatures.of(signed(name, boundTo, claim));
    return this.cookies.set(name, `${claim}.${signature}`, expiresAt);
  }

  read(request: Pick<FastifyRequest, 'headers'>, name: CookieName, boundTo = ''): ReadCookie | undefined {
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

interface ReadCookie {
  readonly text: string;
  readonly msLeft: number;
}

/** A value of one cookie is worth nothing in another. No part has a line break, so the parts cannot be shifted. */
const signed = (name: CookieName, boundTo: string, claim: string): string => [name, boundTo, claim].join('\n');
