import { Database, columns, hydrate, systemStatement } from '#libs/database';
import { Mailbox } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { withoutToken } from './reply-addresses.js';

const FIND = systemStatement(
  'mail_route_find',
  'Who sends a mail names an address, and the account is that of the mailbox',
  `select ${columns(Mailbox, 'm')} from mailboxes m where m.email = $1 order by m.id limit 2`,
);

/** Whose mail is sent to an address. */
@Injectable()
export class MailRoutesService {
  constructor(private readonly database: Database) {}

  /** Null for an address of nobody, and for one of several accounts: mail of one must not come to another. One round trip. */
  async find(address: string): Promise<Mailbox | null> {
    const email = withoutToken(address).toLowerCase();
    const [row, another] = await this.database.system().rows(FIND, [email]);
    return row && !another ? hydrate(Mailbox, row, 'm') : null;
  }
}
