import { createHash } from 'node:crypto';
import { randomToken } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SignedCookiesService } from '../ui/cookies.service.js';

/** Browsers keep cookies for at most 400 days. */
const LIFE_MS = 400 * 86_400_000;

const MAX_EMAILS = 5;

/** A cookie with a random id and a digest of it with each e-mail. It outlives the session. */
@Injectable()
export class KnownBrowsersService {
  constructor(private readonly cookies: SignedCookiesService) {}

  idFor(request: FastifyRequest, email: string): string | undefined {
    const { id, emails } = this.read(request);
    return emails.includes(digestOf(id, email)) ? id : undefined;
  }

  remember(request: FastifyRequest, email: string): string {
    const { id, emails } = this.read(request);
    const latest = [...new Set([digestOf(id, email), ...emails])].slice(0, MAX_EMAILS);
    return this.cookies.set('known-browser', { text: [id, ...latest].join(' '), lifeMs: LIFE_MS });
  }

  private read(request: FastifyRequest): { id: string; emails: string[] } {
    const kept = this.cookies.read(request, 'known-browser');
    const [id = randomToken(), ...emails] = kept?.text.split(' ') ?? [];
    return { id, emails };
  }
}

const digestOf = (id: string, email: string): string =>
  createHash('sha256').update(`${id} ${email.trim().toLowerCase()}`).digest('base64url').slice(0, 22);
