import { Transactions } from '#libs/database';
import { returnTokenIn } from '#libs/entities';
import { EventsService, NO_ACTOR } from '#libs/events';
import { bounceMail } from '#libs/mail';
import { Injectable } from '@nestjs/common';
import { recordOutcome } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import { type BouncedMessage, findBouncedMail } from './mail-context.statements.js';
import type { IdentifiedMail } from './parse-mail.js';

interface ReturnPathMatch {
  readonly token: string;
  /** Null for a mailbox check. */
  readonly message: BouncedMessage | null;
}

export interface Bounce extends ReturnPathMatch {
  /** Null for a report of a delay or a success. */
  readonly failure: string | null;
}

/** Matches delivery reports by their Return-Path. */
@Injectable()
export class BouncesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
  ) {}

  /** Null for any other address. One round trip for our Return-Path. */
  async match(inbound: InboundMail, mail: IdentifiedMail): Promise<ReturnPathMatch | null> {
    const token = [inbound.envelopeTo ?? '', ...mail.recipients].map(returnTokenIn).find((found) => found !== null);
    if (!token) return null;
    const found = await findBouncedMail(this.transactions.account(inbound), token);
    return found ? { token, message: found.id === null ? null : found } : null;
  }

  async deliver(inbound: InboundMail, mail: IdentifiedMail, { token, message, failure }: Bounce): Promise<void> {
    await this.transactions.run(inbound, async (tx, now) => {
      const processed = { state: 'processed', reason: 'delivery_report' } as const;
      const outcome = { ...processed, ...(message && { ticketId: message.ticketId }) };
      await recordOutcome(tx, { inbound, mail, outcome }, now);
      const isNew = failure !== null && (await bounceMail(tx, { token, reason: failure }, now));
      if (!isNew || message === null) return;
      const { id, ticketId, number, recipient } = message;
      const activity = { ticketId, subject: `#${number}`, detail: { message: id, recipient } };
      await this.events.recordActivity(tx, NO_ACTOR, 'mail_bounced', activity);
    });
  }
}
