import { Database, hydrate } from '#libs/database';
import { Mailbox } from '#libs/entities';
import { ReplyAddressesService, returnTokenIn, withoutToken } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { FIND_ROUTE } from '../mailboxes.statements.js';
import { AgentReplyAddressesService } from './agent-reply-addresses.service.js';

export interface AddressedMailbox {
  readonly mailbox: Mailbox;
  readonly isSigned: boolean;
}

@Injectable()
export class AddressedMailboxesService {
  constructor(
    private readonly database: Database,
    private readonly addresses: ReplyAddressesService,
    private readonly ofAgents: AgentReplyAddressesService,
  ) {}

  /**
   * Null for an unknown address or a forged signature. If several accounts have the address, the first gets the mail,
   * so that no account can take another's mail. A signed address belongs to the account that signed it, and a
   * Return-Path to the account that sent the mail. One round trip.
   */
  async find(address: string): Promise<AddressedMailbox | null> {
    const email = address.toLowerCase();
    const rows = await this.database.system().rows(FIND_ROUTE, [[email, withoutToken(email)], returnTokenIn(email)]);
    const found = rows.map((row) => ({ mailbox: hydrate(Mailbox, row, 'm')!, returns: row['returns'] === true }));
    const named = found.find(({ mailbox }) => mailbox.email === email);
    if (named) return { mailbox: named.mailbox, isSigned: false };
    const signer = found.find(
      ({ mailbox: { accountId }, returns }) =>
        returns || this.addresses.ticketOf([email], accountId) !== null || this.ofAgents.isOf(email, accountId),
    );
    return signer ? { mailbox: signer.mailbox, isSigned: true } : null;
  }
}
