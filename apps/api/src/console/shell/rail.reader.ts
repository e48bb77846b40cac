import { TicketsService } from '#libs/desk';
import { Injectable } from '@nestjs/common';
import type { RailContent } from '../../pages/page-context.js';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../form-submission.js';
import { TicketChoicesReader } from '../inbox/ticket-choices.reader.js';

/** Pages of the inbox load it with the list, and pages that are shown in parts have it already. */
const WITH_OWN = /^\/(inbox|tickets\/(?!new$)|live|attachments\/)/;

/** Loads what the rail shows beside pages that are not the inbox. */
@Injectable()
export class RailReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly choices: TicketChoicesReader,
  ) {}

  /** Two round trips, side by side. */
  async read(me: Me, path: string): Promise<RailContent | undefined> {
    if (WITH_OWN.test(path)) return undefined;
    const [counts, { mailboxes, tags }] = await Promise.all([
      this.tickets.count(actingOf(me)),
      this.choices.read(me.accountId),
    ]);
    return { counts, mailboxes, tags };
  }
}
