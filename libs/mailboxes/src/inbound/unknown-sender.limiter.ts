import { Clock, Database } from '#libs/database';
import type { Mailbox } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { FIND_KNOWN_SENDER, type UnknownSenderLimit } from './arrival.statements.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const KIB = 1024;

export class TooMuchFromUnknownSenders extends Error {}

/**
 * Daily limit for senders that are not yet customers. The envelope can be forged: mail that names a customer is limited
 * only by the disk reserve.
 */
@Injectable()
export class UnknownSenderLimiter {
  private readonly maxKib: number;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) { MAIL_UNKNOWN_SENDERS_MIB_PER_DAY }: Settings,
  ) {
    this.maxKib = MAIL_UNKNOWN_SENDERS_MIB_PER_DAY * KIB;
  }

  /** Called before the transfer. One round trip if the bytes are used up, otherwise none. */
  async refuseUsedUp({ accountId, unknownSendersDay, unknownSendersKib }: Mailbox, sender: string): Promise<void> {
    if (unknownSendersDay !== this.today() || unknownSendersKib < this.maxKib) return;
    const found = await this.database
      .account(accountId)
      .row<{ known: boolean }>(FIND_KNOWN_SENDER, [sender.toLowerCase()]);
    if (!found!.known) throw new TooMuchFromUnknownSenders();
  }

  limitFor(sender: string, bytes: number): UnknownSenderLimit {
    return { sender: sender.toLowerCase(), day: this.today(), kib: Math.ceil(bytes / KIB), maxKib: this.maxKib };
  }

  /** Days of UTC since 1970. */
  private today(): number {
    return Math.floor(this.clock.now().getTime() / DAY_MS);
  }
}
