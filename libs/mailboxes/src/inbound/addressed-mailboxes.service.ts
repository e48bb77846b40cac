import { Database } from '#libs/database';
import { type Mailbox, isSignedForm, returnTokenIn, withoutTokens } from '#libs/entities';
import { ReplyAddressesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { type AddressRoute, findRoutes } from '../mailboxes.statements.js';
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
   * Return-Path to the account that sent the mail, whatever mailboxes have that name. One round trip.
   */
  async find(address: string): Promise<AddressedMailbox | null> {
    const email = address.toLowerCase();
    const isSigned = isSignedForm(email);
    const routes = await findRoutes(this.database.system(), {
      address: withoutTokens(email),
      returnToken: returnTokenIn(email),
    });
    const route = isSigned ? routes.find((found) => this.isSignedBy(found, email)) : routes[0];
    return route ? { mailbox: route.mailbox, isSigned } : null;
  }

  private isSignedBy({ mailbox: { accountId }, returns }: AddressRoute, email: string): boolean {
    const isOfTicket = this.addresses.ticketOf([email], accountId) !== null;
    return returns || isOfTicket || this.ofAgents.isOf(email, accountId);
  }
}
