import { Clock } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CookiesService } from '../../ui/cookies.service.js';

const YEAR_MS = 365 * 86_400_000;
const MAX_NAME_CHARACTERS = 100;

/** A cookie with the name of the mailbox of the last new ticket. */
@Injectable()
export class LastMailboxService {
  constructor(
    private readonly cookies: CookiesService,
    private readonly clock: Clock,
  ) {}

  /** Unverified. A name without a mailbox selects nothing. */
  read(request: FastifyRequest): string {
    return Buffer.from(this.cookies.read(request, 'last-mailbox') ?? '', 'base64url').toString();
  }

  keep(mailbox: string): string[] {
    if (mailbox === '' || mailbox.length > MAX_NAME_CHARACTERS) return [];
    const value = Buffer.from(mailbox).toString('base64url');
    return [this.cookies.set('last-mailbox', value, this.clock.in(YEAR_MS))];
  }
}
