import { Transactions } from '#libs/database';
import type { ClaimedMail, Mail, NothingToSend } from '#libs/mail';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { ReplyAddressesService } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { recordOutcome } from '../inbound/arrival-outcome.statements.js';
import type { InboundMail } from '../inbound/arrival.statements.js';
import type { IdentifiedMail } from '../inbound/parse-mail.js';
import { hostOf, mailIdOfMessage } from '../mail-ids.js';
import { smtpServerIn } from '../outbound/outbound-mail.statements.js';
import { checkSubject, checkTokenIn } from './check-subject.js';
import { findCheckMail, readCheckedMailbox, recordReturn } from './mailbox-check.statements.js';

@Injectable()
export class CheckMailsService {
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly transactions: Transactions,
    private readonly addresses: ReplyAddressesService,
  ) {}

  async write(claimed: ClaimedMail): Promise<Mail | NothingToSend> {
    const { id, account, lane, recipient, returnToken } = claimed;
    const found = await readCheckedMailbox(this.transactions.account(claimed), lane);
    if (!found || returnToken === null) return { nothing: 'The mailbox was deleted.' };
    const { name, email, isSetUp } = found;
    return {
      ...smtpServerIn(found, this.settings),
      ...(isSetUp && { from: { name, address: email }, returnPath: this.addresses.forReturns(email, returnToken) }),
      to: recipient,
      mailId: mailIdOfMessage(id, hostOf(this.settings)),
      subject: checkSubject(recipient, returnToken),
      text: `This is a test of the ${name} mailbox at ${account}.\n\nYou can ignore it; it does not create a ticket.\n`,
      automatic: 'generated',
    };
  }

  async match(inbound: InboundMail, mail: IdentifiedMail): Promise<string | null> {
    const token = checkTokenIn(mail);
    return token === null ? null : findCheckMail(this.transactions.account(inbound), token);
  }

  /** The email becomes no message and sends no event. */
  deliver(inbound: InboundMail, mail: IdentifiedMail, sentAs: string): Promise<void> {
    return this.transactions.run(inbound, async (tx, now) => {
      recordReturn(tx, { mailId: sentAs, arrivalId: inbound.id, arrivedAt: now });
      const outcome = { state: 'processed', reason: 'mailbox_test' } as const;
      await recordOutcome(tx, { inbound, mail, outcome }, now);
    });
  }
}
