import { Database, accountStatement, columns } from '#libs/database';
import { MailboxSmtp } from '#libs/entities';
import type { ClaimedMail, Mail, NothingToSend } from '#libs/mail';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { ReplyAddressesService } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { mailIdOfMessage } from '../outbound/own-mail-ids.js';
import { ownServerIn } from '../outbound/own-mail-server.js';
import { testSubject } from './test-mail.js';

const READ = accountStatement(
  'mailbox_test_mail_read',
  `select m.name, m.email, m.replies_by_mail or m.has_smtp as "isSetUp", ${columns(MailboxSmtp, 'p')}
   from mailboxes m left join mailbox_smtp p on p.id = m.id where m.account_id = $1 and m.id = $2`,
);

interface TestedMailbox {
  readonly name: string;
  readonly email: string;
  readonly isSetUp: boolean;
}

/** Writes the mail that a mailbox sends to itself, as a reply from it would go out. */
@Injectable()
export class TestMailsService {
  private readonly host: string;
  private readonly box: SecretBox;

  constructor(
    @Inject(SETTINGS_TOKEN) settings: Settings,
    private readonly database: Database,
    private readonly addresses: ReplyAddressesService,
  ) {
    this.host = new URL(settings.PUBLIC_URL).hostname;
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  /** One round trip. */
  async write({ id, accountId, account, lane, recipient, returnToken }: ClaimedMail): Promise<Mail | NothingToSend> {
    const found = await this.database.account(accountId).row<TestedMailbox>(READ, [lane]);
    if (!found || returnToken === null) return { nothing: 'The mailbox was deleted.' };
    const { name, email, isSetUp } = found;
    const server = ownServerIn(found, this.box);
    return {
      ...(server && { server }),
      ...(isSetUp && { from: { name, address: email }, returnPath: this.addresses.forReturns(email, returnToken) }),
      to: recipient,
      mailId: mailIdOfMessage(id, this.host),
      subject: testSubject(recipient, returnToken),
      text: `Somebody tests the mailbox ${name} of ${account}: this mail went out from it and has to come back to it.\n\nIt makes no ticket. There is nothing to do.\n`,
      automatic: true,
    };
  }
}
