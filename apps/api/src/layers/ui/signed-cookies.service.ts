import { Clock } from '#libs/database';
import { Signatures } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type CookieName, CookiesService } from './cookies.service.js';

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
