import { Transactions } from '#libs/database';
import type { ClaimedMail, Mail, NothingToSend } from '#libs/mail';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { ReplyAddressesService } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { recordOutcome } from '../inbound/arrival-outcome.statements.js';
import type { InboundMail } from '../inbound/arrival.statements.js';
import type { IdentifiedMail, ParsedMail } from '../inbound/parse-mail.js';
import { hostOf, mailIdOfMessage } from '../mail-ids.js';
import { smtpServerIn } from '../outbound/outbound-mail.statements.js';
import { READ_CHECKED_MAILBOX, RECORD_RETURN, findCheckMail } from './mailbox-check.statements.js';

interface CheckedMailbox {
  readonly name: string;
  readonly email: string;
  readonly isSetUp: boolean;
}

@Injectable()
export class CheckMailsService {
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly transactions: Transactions,
    private readonly addresses: ReplyAddressesService,
  ) {}

  async write(claimed: ClaimedMail): Promise<Mail | NothingToSend> {
    const { id, account, lane, recipient, returnToken } = claimed;
    const found = await this.transactions.account(claimed).row<CheckedMailbox>(READ_CHECKED_MAILBOX, [lane]);
    if (!found || returnToken === null) return { nothing: 'The mailbox was deleted.' };
    const { name, email, isSetUp } = found;
    return {
      ...smtpServerIn(found, this.settings),
      ...(isSetUp && { from: { name, address: email }, returnPath: this.addresses.forReturns(email, returnToken) }),
      to: recipient,
      mailId: mailIdOfMessage(id, hostOf(this.settings)),
      subject: checkSubject(recipient, returnToken),
      text: `Somebody tests the mailbox ${name} of ${account}: this mail went out from it and has to come back to it.\n\nIt makes no ticket. There is nothing to do.\n`,
      automatic: 'generated',
    };
  }

  async match(inbound: InboundMail, mail: IdentifiedMail): Promise<string | null> {
    const token = checkTokenIn(mail);
    return token === null ? null : findCheckMail(this.transactions.account(inbound), token);
  }

  /** The mail is not a message, and no event is sent. */
  deliver(inbound: InboundMail, mail: IdentifiedMail, sentAs: string): Promise<void> {
    return this.transactions.run(inbound, async (tx, now) => {
      tx.send(RECORD_RETURN, [sentAs, inbound.id, now]);
      const outcome = { state: 'processed', reason: 'mailbox_test' } as const;
      await recordOutcome(tx, { inbound, mail, outcome }, now);
    });
  }
}

/** At the end, since servers put words before a subject. */
export const checkSubject = (email: string, token: string): string => `Test of ${email} [t.${token}]`;

const TOKEN = /\[t\.([0-9a-v]{16})\]$/;

/** A check may come before the first connection to the server, and is not old mail. */
export const looksLikeCheck = (subject: string): boolean => TOKEN.test(subject.trim());

/** A program that answers a check repeats its subject, but also names it as an ancestor. */
export function checkTokenIn({ subject, ancestors }: Pick<ParsedMail, 'subject' | 'ancestors'>): string | null {
  return ancestors.length > 0 ? null : (TOKEN.exec(subject.trim())?.[1] ?? null);
}
