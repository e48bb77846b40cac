import { Database } from '#libs/database';
import type { Attachment } from '#libs/entities';
import type { ClaimedMail, Mail, MailFile, NothingToSend } from '#libs/mail';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { FilesService, ReplyAddressesService, isMailAddress, withRemotePictures } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { mailIdOfMessage } from '../mail-ids.js';
import { READ_MESSAGE_MAIL, smtpServerIn } from './outbound-mail.statements.js';

interface MessageToMail extends SignedBy {
  readonly text: string;
  readonly html: string | null;
  readonly toAddresses: readonly string[];
  readonly ccAddresses: readonly string[];
  readonly number: number;
  readonly title: string | null;
  readonly isDeleted: boolean;
  readonly isAnswer: boolean;
  readonly mailboxEmail: string;
  readonly isSetUp: boolean;
  readonly files: readonly Pick<Attachment, 'id' | 'name' | 'contentType'>[] | null;
  readonly ancestors: readonly string[];
}

@Injectable()
export class MessageMailsService {
  private readonly host: string;
  private readonly box: SecretBox;

  constructor(
    @Inject(SETTINGS_TOKEN) settings: Settings,
    private readonly database: Database,
    private readonly files: FilesService,
    private readonly addresses: ReplyAddressesService,
  ) {
    this.host = new URL(settings.PUBLIC_URL).hostname;
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  /** One round trip. Files are read while sending. */
  async write(claimed: ClaimedMail): Promise<Mail | NothingToSend> {
    const { accountId, messageId, recipient, isCopy } = claimed;
    const found = await this.database.account(accountId).row<MessageToMail>(READ_MESSAGE_MAIL, [messageId, this.host]);
    if (!found || found.isDeleted) return { nothing: 'The ticket was deleted before the mail went out.' };
    if (!canReceive(recipient)) return { nothing: 'No mail can be sent to this address.' };
    const { text, html, ancestors, files } = found;
    const server = smtpServerIn(found, this.box);
    return {
      ...(server && { server }),
      ...this.addressesOf(found, claimed),
      to: isCopy ? (found.toAddresses[0] ?? recipient) : recipient,
      cc: found.ccAddresses.filter((address) => canReceive(address) && (isInAscii(address) || address === recipient)),
      recipient,
      mailId: mailIdOfMessage(messageId!, this.host),
      ancestors: ancestors.toReversed().filter((id) => MAIL_ID.test(id)),
      subject: subjectOf(found),
      text: `${text.trim()}\n\n${signatureOf(found)}\n`,
      ...(html !== null && { html: `${withRemotePictures(html)}<p>${escaped(signatureOf(found))}</p>` }),
      files: (files ?? []).map((file) => this.fileOf(accountId, file)),
    };
  }

  /** A mailbox that cannot send has a copy sent from MAIL_FROM. */
  private addressesOf(
    { agent, account, mailboxEmail, isSetUp, number }: MessageToMail,
    { accountId, returnToken }: ClaimedMail,
  ): Pick<Mail, 'from' | 'replyTo' | 'returnPath'> {
    if (!isSetUp) return { replyTo: mailboxEmail };
    const name = agent === '' ? account : `${agent} (${account})`;
    return {
      from: { name: oneLine(name), address: mailboxEmail },
      replyTo: this.addresses.of(mailboxEmail, accountId, number),
      ...(returnToken !== null && { returnPath: this.addresses.forReturns(mailboxEmail, returnToken) }),
    };
  }

  private fileOf(
    accountId: string,
    { id, name, contentType }: Pick<Attachment, 'id' | 'name' | 'contentType'>,
  ): MailFile {
    const open = async () => {
      const file = await this.files.open({ accountId, id });
      if (!file) throw new Error('a file of the message is not in the file store');
      return file;
    };
    return { name, type: contentType, open };
  }
}

/** Other ids of inbound mails are not copied into our header. */
const MAIL_ID = /^[!-;=?A-~]{1,120}@[!-;=?A-~]{1,120}$/;

/** A mail without a sender has a customer without a real address. */
const canReceive = (address: string): boolean => isMailAddress(address) && !address.endsWith('.invalid');

/** Servers without RFC 6532 refuse a non-ASCII local part, and with it the mails to the other recipients. */
const isInAscii = (address: string): boolean => !NOT_ASCII.test(address.slice(0, address.lastIndexOf('@')));
const NOT_ASCII = /[^!-~]/;

function subjectOf({ title, account, isAnswer }: MessageToMail): string {
  const subject = oneLine(title ?? '');
  if (subject === '') return `A message from ${oneLine(account)}`;
  return isAnswer && !/^re:/i.test(subject) ? `Re: ${subject}` : subject;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>');

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

export interface SignedBy {
  /** May be empty. */
  readonly agent: string;
  readonly account: string;
  readonly mailbox: string;
  readonly agentSignature: string;
  readonly mailboxSignature: string;
}

/** Other text in braces is left unchanged. */
const PLACEHOLDER = /\{\{(agent|mailbox|account)\}\}/g;

/** The agent's signature, or their name, stands above that of the mailbox, or the account's name. */
export function signatureOf(by: SignedBy): string {
  const filled = (text: string): string =>
    text.replaceAll(PLACEHOLDER, (_, name: 'agent' | 'mailbox' | 'account') => by[name]).trim();
  return [filled(by.agentSignature) || by.agent, filled(by.mailboxSignature) || by.account]
    .filter((part) => part !== '')
    .join('\n');
}
