import { type AccountTx, accountStatement } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { TicketReferences, NewTicket } from './new-ticket.js';

const OWE = accountStatement(
  'customer_copy_owe',
  'insert into customer_copies (account_id, message_id, due_at, created_at) values ($1, $2, $3, $3)',
);

export interface CreatedTicket {
  readonly wanted: NewTicket;
  readonly references: TicketReferences;
  readonly messageId: string;
}

/** What an agent writes to a customer when starting a ticket can go out by mail as well. */
@Injectable()
export class CustomerCopiesService {
  private readonly canSend: boolean;

  constructor(@Inject(SETTINGS_TOKEN) settings: Settings) {
    this.canSend = settings.SMTP_URL !== undefined;
  }

  /** Owed by the same commit, so it is sent if and only if the ticket exists. A note is for agents, whatever is asked. */
  async owe(tx: AccountTx, { wanted, references, messageId }: CreatedTicket, now: Date): Promise<void> {
    if (!wanted.copyToCustomer || !this.canSend || !references.author || wanted.note) return;
    tx.send(OWE, [messageId, now]);
  }
}
