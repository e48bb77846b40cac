import { Database, columns, hydrate, systemStatement } from '#libs/database';
import { Mailbox } from '#libs/entities';
import { ReplyAddressesService, returnTokenIn, withoutToken } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { AgentReplyAddressesService } from './agent-reply-addresses.service.js';

/** So many accounts are asked whether they signed an address. */
const MAX_MAILBOXES = 20;

const FIND = systemStatement(
  'mail_route_find',
  'Who sends a mail names an address, and the account is that of the mailbox',
  `select ${columns(Mailbox, 'm')},
     exists (select from outgoing_mails o where o.return_token = $2 and o.account_id = m.account_id) as returns
   from mailboxes m where m.email = any($1)
   order by m.email_since, m.id limit ${MAX_MAILBOXES}`,
);

/** Where mail to an address goes. */
export interface MailRoute {
  readonly mailbox: Mailbox;
  /** The address names a ticket or a mail of ours, and we wrote it. */
  readonly isSigned: boolean;
}

/** Whose mail is sent to an address. */
@Injectable()
export class MailRoutesService {
  constructor(
    private readonly database: Database,
    private readonly addresses: ReplyAddressesService,
    private readonly ofAgents: AgentReplyAddressesService,
  ) {}

  /**
   * Null for an address of nobody, and for one that only looks as if we had signed it. Of several accounts with one address,
   * the first gets its mail, so that none can take or stop the mail of another; a signed one goes to whose ticket it names,
   * and a report to whose mail came back.
   * One round trip.
   */
  async find(address: string): Promise<MailRoute | null> {
    const email = address.toLowerCase();
    const rows = await this.database.system().rows(FIND, [[email, withoutToken(email)], returnTokenIn(email)]);
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
