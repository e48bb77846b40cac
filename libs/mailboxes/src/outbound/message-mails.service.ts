import { Database, Transactions } from '#libs/database';
import type { Attachment } from '#libs/entities';
import type { ClaimedMail, Mail, MailFile, NothingToSend } from '#libs/mail';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import {
  FilesService,
  ReplyAddressesService,
  type RequestContext,
  isMailAddress,
  withRemotePictures,
} from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { REPLY_MARK } from '../inbound/agent-replies.service.js';
import { AgentReplyAddressesService } from '../inbound/agent-reply-addresses.service.js';
import { hostOf, mailIdOfMessage } from '../mail-ids.js';
import { READ_AGENT_NOTICE, READ_MESSAGE_MAIL, SET_REPLY_NOTICES, smtpServerIn } from './outbound-mail.statements.js';

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
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly database: Database,
    private readonly files: FilesService,
    private readonly addresses: ReplyAddressesService,
  ) {}

  /** One round trip. Files are read while sending. */
  async write(claimed: ClaimedMail): Promise<Mail | NothingToSend> {
    const { accountId, messageId, recipient, isCopy } = claimed;
    const host = hostOf(this.settings);
    const found = await this.database.account(accountId).row<MessageToMail>(READ_MESSAGE_MAIL, [messageId, host]);
    if (!found || found.isDeleted) return { nothing: 'The ticket was deleted before the mail went out.' };
    if (!canReceive(recipient)) return { nothing: 'No mail can be sent to this address.' };
    const { text, html, ancestors, files } = found;
    return {
      ...smtpServerIn(found, this.settings),
      ...this.addressesOf(found, claimed),
      to: isCopy ? (found.toAddresses[0] ?? recipient) : recipient,
      cc: found.ccAddresses.filter((address) => canReceive(address) && (isInAscii(address) || address === recipient)),
      recipient,
      mailId: mailIdOfMessage(messageId!, host),
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

interface NoticedMessage {
  readonly text: string;
  readonly number: number;
  readonly title: string | null;
  readonly cc: readonly string[];
  readonly mailboxEmail: string;
  readonly account: string;
  readonly customer: string;
}

/** A reply to the notice is sent to the customer. */
@Injectable()
export class AgentNoticesService {
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly database: Database,
    private readonly addresses: AgentReplyAddressesService,
    private readonly returns: ReplyAddressesService,
    private readonly links: Links,
  ) {}

  /** One round trip. */
  async write({ id, accountId, recipient, returnToken, detail }: ClaimedMail): Promise<Mail | NothingToSend> {
    const { message, agent: agentId = '' } = detail;
    const found = await this.database.account(accountId).row<NoticedMessage>(READ_AGENT_NOTICE, [message, agentId]);
    if (!found) return { nothing: 'The agent is not told any more.' };
    const { mailboxEmail, number, title, customer, account } = found;
    return {
      ...smtpServerIn(found, this.settings),
      from: { name: oneLine(`${customer} (${account})`), address: mailboxEmail },
      replyTo: this.addresses.of(mailboxEmail, { accountId, agentId, ticketNumber: number }),
      ...(returnToken !== null && { returnPath: this.returns.forReturns(mailboxEmail, returnToken) }),
      to: recipient,
      mailId: mailIdOfMessage(id, hostOf(this.settings)),
      subject: oneLine(`#${number} ${title ?? ''}`),
      text: this.textOf(found),
      automatic: true,
    };
  }

  private textOf({ text, number, cc, customer, account }: NoticedMessage): string {
    return [
      REPLY_MARK,
      `${oneLine(customer)} wrote:`,
      text.trim(),
      [
        '-- ',
        `What you answer to this mail goes to the customer, in the name of ${oneLine(account)}.`,
        ...(cc.length > 0 ? [`These people get a copy: ${cc.join(', ')}`] : []),
        `The ticket: ${this.links.base}/tickets/${number}`,
        `Such mails come because you asked for them: ${this.links.base}/profile\n`,
      ].join('\n'),
    ].join('\n\n');
  }
}

@Injectable()
export class ReplyNoticesService {
  constructor(private readonly transactions: Transactions) {}

  async set(context: RequestContext, isEnabled: boolean): Promise<void> {
    await this.transactions.account(context).rows(SET_REPLY_NOTICES, [context.agentId, isEnabled]);
  }
}
