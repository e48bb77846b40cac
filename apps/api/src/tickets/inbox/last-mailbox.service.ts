import { Clock } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CookiesService } from '../../ui/cookies.service.js';

const YEAR_MS = 365 * 86_400_000;
const MAX_NAME_CHARACTERS = 100;

/** The mailbox from which somebody last wrote to a customer, by its name, as this browser remembers it. */
@Injectable()
export class LastMailboxService {
  constructor(
    private readonly cookies: CookiesService,
    private readonly clock: Clock,
  ) {}

  /** Any text, because a browser may send any cookie. One that is no mailbox of the account chooses none. */
  read(request: FastifyRequest): string {
    return Buffer.from(this.cookies.read(request, 'last-mailbox') ?? '', 'base64url').toString();
  }

  /** The cookie to set, if there is something to remember. */
  keep(mailbox: string): string[] {
    if (mailbox === '' || mailbox.length > MAX_NAME_CHARACTERS) return [];
    const value = Buffer.from(mailbox).toString('base64url');
    return [this.cookies.set('last-mailbox', value, this.clock.in(YEAR_MS))];
  }
}
