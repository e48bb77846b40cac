import { type Attachment, beginningOf } from '#libs/entities';
import { type ClaimedMail, type Mail, type MailFile, type NothingToSend, canReceive } from '#libs/mail';
import { replyText } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { FilesService, ReplyAddressesService, withRemotePictures } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { hostOf, mailIdOfMessage } from '../mail-ids.js';
import { smtpServerIn } from './outbound-mail.statements.js';
import { type SignedBy, signatureOf } from './signature.js';

export interface MessageContent extends SignedBy {
  readonly text: string;
  readonly html: string | null;
  readonly toAddresses: readonly string[];
  readonly ccAddresses: readonly string[];
  readonly number: number;
  readonly title: string | null;
  readonly isDeleted: boolean;
  readonly isAnswer: boolean;
  readonly answered: Readonly<Record<'text' | 'header', string>> | null;
  readonly mailboxEmail: string;
  readonly isSetUp: boolean;
  readonly files: readonly Pick<Attachment, 'id' | 'name' | 'contentType'>[] | null;
  readonly ancestors: readonly string[];
}

type MessageMail = Pick<ClaimedMail, 'accountId' | 'messageId' | 'recipient' | 'isCopy' | 'returnToken'> &
  Partial<Pick<ClaimedMail, 'detail'>>;

export type Loaded<M> = M & (MessageContent | { readonly text: null });

/** A claimed mail with the content of its message, if it has one. */
export type LoadedMail = Loaded<ClaimedMail>;

@Injectable()
export class MessageMailsService {
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly files: FilesService,
    private readonly addresses: ReplyAddressesService,
  ) {}

  /** Files are read while sending. */
  write(mail: Loaded<MessageMail>): Mail | NothingToSend {
    if (mail.text === null || mail.isDeleted) return { nothing: 'The ticket was deleted before the mail went out.' };
    const { accountId, messageId, recipient, isCopy, text, html, ancestors, files } = mail;
    if (!canReceive(recipient)) return { nothing: 'Email cannot be sent to this address.' };
    const quoted = quotationOf(mail);
    const isShown = (address: string): boolean => canReceive(address) && (isInAscii(address) || address === recipient);
    const to = isCopy ? (mail.toAddresses.find(isShown) ?? recipient) : recipient;
    return {
      ...smtpServerIn(mail, this.settings),
      ...this.addressesOf(mail),
      to,
      cc: mail.ccAddresses.filter((address) => isShown(address) && address !== to),
      recipient,
      mailId: mailIdOfMessage(messageId!, hostOf(this.settings)),
      ancestors: ancestors.toReversed().filter((id) => MAIL_ID.test(id)),
      subject: subjectOf(mail),
      text: `${text.trim()}\n\n${signatureOf(mail)}\n${quoted.text}`,
      ...(html !== null && { html: `${withRemotePictures(html)}<p>${escaped(signatureOf(mail))}</p>${quoted.html}` }),
      files: (files ?? []).map((file) => this.fileOf(accountId, file)),
      automatic: mail.detail?.['automatic'] === 'true' ? 'replied' : undefined,
    };
  }

  /** The email of a mailbox that cannot send comes from MAIL_FROM; replies go to the mailbox. */
  private addressesOf(mail: MessageMail & MessageContent): Pick<Mail, 'from' | 'replyTo' | 'returnPath'> {
    const { accountId, returnToken, agent, account, mailboxEmail, isSetUp, number } = mail;
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

/** Other ids of inbound emails are not copied into our header. */
const MAIL_ID = /^[!-;=?A-~]{1,120}@[!-;=?A-~]{1,120}$/;

/** Servers without RFC 6532 refuse a non-ASCII local part, and with it the emails to the other recipients. */
const isInAscii = (address: string): boolean => !NOT_ASCII.test(address.slice(0, address.lastIndexOf('@')));
const NOT_ASCII = /[^!-~]/;

function subjectOf({ title, account, isAnswer }: MessageContent): string {
  const subject = oneLine(title ?? '');
  if (subject === '') return `A message from ${oneLine(account)}`;
  return isAnswer && !/^re:/i.test(subject) ? `Re: ${subject}` : subject;
}

/** The customer has the rest. */
const MAX_QUOTED_CHARACTERS = 10_000;

/** Quotes no quotation in turn. */
function quotationOf({ answered, detail }: MessageMail & MessageContent): { text: string; html: string } {
  const text = beginningOf(replyText(answered?.text ?? '').trim(), MAX_QUOTED_CHARACTERS);
  if (!answered || text === '' || detail?.['automatic'] === 'true') return { text: '', html: '' };
  const header = oneLine(answered.header);
  return {
    text: `\n${header}\n> ${text.split(/\r?\n/).join('\n> ')}\n`,
    html: `<p>${escaped(header)}</p><blockquote type="cite">${escaped(text)}</blockquote>`,
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>');

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
