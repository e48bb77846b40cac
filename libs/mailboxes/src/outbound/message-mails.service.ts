import { Database, accountStatement, columns, filter, rangeOf } from '#libs/database';
import { type Attachment, MailboxSmtp } from '#libs/entities';
import type { ClaimedMail, Mail, MailFile, NothingToSend } from '#libs/mail';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { FilesService, ReplyAddressesService, isMailAddress, withRemotePictures } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { type SignedBy, signatureOf } from './mail-signature.js';
import { mailIdOfMessage } from './own-mail-ids.js';
import { ownServerIn } from './own-mail-server.js';

/** As many as mail programs need to find the thread. A header with all of a long one would be too long for some servers. */
const MAX_ANCESTORS = 30;

/** Messages of the ticket that were written over the API are no mails. */
const MAX_LOOKED_AT = 200;

const BEFORE = `select b.id from messages b
  where ${rangeOf('b.ticket_id', 's.ticket_id')} and ${filter('b.id < s.id and not b.note')}`;

/** The ancestors are the mails of the thread, those that came and those that went out, the newest first. */
const READ = accountStatement(
  'message_mail_read',
  `select s.plain_text_body as text, s.safe_html as html, s.to_addresses as "toAddresses", s.cc_addresses as "ccAddresses", t.number, t.title, t.deleted_at is not null as "isDeleted",
     (select count(*) > 0 from (${BEFORE} order by b.ticket_id, b.id limit 1) b) as "isAnswer",
     m.email as "mailboxEmail", m.replies_by_mail or m.has_smtp as "isSetUp", ac.name as account, m.name as mailbox,
     m.signature as "mailboxSignature", coalesce(a.signature, '') as "agentSignature", ${columns(MailboxSmtp, 'p')},
     trim(concat(a.first_name, ' ', a.last_name)) as agent,
     (select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name, 'contentType', x.content_type) order by x.id)
      from (select * from attachments x where ${rangeOf('x.message_id', 's.id')} order by x.message_id, x.id) x) as files,
     array(
       select coalesce(o.message_id || '@' || $3, r.mail_id)
       from (${BEFORE} order by b.ticket_id desc, b.id desc limit ${MAX_LOOKED_AT}) b
         left join lateral (select mail_id from arrivals where message_id = b.id limit 1) r on true
         left join lateral (select message_id from outgoing_mails where message_id = b.id limit 1) o on true
       where r.mail_id is not null or o.message_id is not null
       order by b.id desc limit ${MAX_ANCESTORS}
     ) as ancestors
   from messages s cross join lateral (select * from tickets where id = s.ticket_id limit 1) t join mailboxes m on m.id = t.mailbox_id
     left join mailbox_smtp p on p.id = m.id join accounts ac on ac.id = s.account_id left join agents a on a.id = s.author_agent_id
   where s.id = $2 and ${filter('s.account_id = $1')}`,
);

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

/** Writes the mail that brings a message to its customer, or to a person in Cc. */
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

  /** Or says why there is nothing to send. One round trip; files are read while the mail goes out. */
  async write(claimed: ClaimedMail): Promise<Mail | NothingToSend> {
    const { accountId, messageId, recipient, isCopy } = claimed;
    const found = await this.database.account(accountId).row<MessageToMail>(READ, [messageId, this.host]);
    if (!found || found.isDeleted) return { nothing: 'The ticket was deleted before the mail went out.' };
    if (!canReceive(recipient)) return { nothing: 'No mail can be sent to this address.' };
    const { text, html, ancestors, files } = found;
    const server = ownServerIn(found, this.box);
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

  /** From the mailbox itself, if it is set up to send. A copy from any other goes out as the installation’s. */
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

/** What came from a stranger’s header goes into ours only as what an id is. */
const MAIL_ID = /^[!-;=?A-~]{1,120}@[!-;=?A-~]{1,120}$/;

/** Mail without a sender becomes a ticket as well, of a customer whom nobody can write to. */
const canReceive = (address: string): boolean => isMailAddress(address) && !address.endsWith('.invalid');

/** Servers without RFC 6532 refuse a header with any other address, and with it the mails to all other recipients. */
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
