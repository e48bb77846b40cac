import {
  type AccountConnection,
  accountStatement,
  columns,
  filter,
  hydrate,
  rowById,
  systemStatement,
} from '#libs/database';
import { Mailbox, MailboxSmtp, OutgoingMail } from '#libs/entities';
import { type Mail, claimMailsSql } from '#libs/mail';
import { SecretBox } from '#libs/secret-box';
import type { Settings } from '#libs/settings';

/** Empty if the mailbox uses the installation’s server. */
export function smtpServerIn(row: object, { SECRETS_KEY }: Settings): Pick<Mail, 'server'> {
  const smtp = hydrate(MailboxSmtp, row as Record<string, unknown>, 'p');
  if (!smtp) return {};
  const { id, host, port, security, username, sealed, keyId } = smtp;
  const box = new SecretBox(SECRETS_KEY);
  const user = username && sealed && keyId ? { name: username, password: box.open({ sealed, keyId }, id) } : null;
  return { server: { host, port, security, user } };
}

/** Enough to find the thread. Some servers refuse longer headers. */
const MAX_ANCESTORS = 30;

/** Messages written over the API have no emails, so the search is bounded. */
const MAX_SEARCHED = 200;

const BEFORE = `select b.id from messages b
  where b.ticket_id = s.ticket_id and b.id < s.id and not b.note`;

/** Characters that are read of the message that is answered. Its own quotation is removed later. */
const MAX_ANSWERED_CHARACTERS = 20_000;

/**
 * The last message to or from the customer whom this one is for: a colleague who forwarded an email wrote to the desk alone, and
 * a merge may have brought a ticket of another customer. The header is that of mail programs, in the time zone of the account.
 * They recognise no longer names.
 */
const ANSWERED = `
  select jsonb_build_object('text', left(b.plain_text_body, ${MAX_ANSWERED_CHARACTERS}), 'header', concat(
    'On ', to_char(coalesce(b.sent_at, b.created_at) at time zone ac.time_zone, 'FMDD Mon YYYY, HH24:MI'), ', ',
    left(concat_ws(' ', ba.first_name, ba.last_name, bc.first_name, bc.last_name), 100), ' <', coalesce(bc.email, m.email), '> wrote:'))
  from (${BEFORE} order by b.id desc limit ${MAX_SEARCHED}) x join messages b on b.id = x.id
    left join agents ba on ba.id = b.author_agent_id left join customers bc on bc.id = b.author_customer_id
  where bc.email = any(s.to_addresses) or s.to_addresses && (b.to_addresses || b.cc_addresses)
  order by x.id desc limit 1`;

/** Ancestors are newest first. An email that was queued before the upgrade names no files and carries all. */
const contentOf = (mail: 'mail' | 'o', account: string, host: string): string => `
  select s.plain_text_body as text, s.safe_html as html, s.to_addresses as "toAddresses", s.cc_addresses as "ccAddresses", t.number, t.title, t.deleted_at is not null as "isDeleted",
     (select count(*) > 0 from (${BEFORE} order by b.id limit 1) b) as "isAnswer", (${ANSWERED}) as answered,
     m.email as "mailboxEmail", m.replies_by_mail or m.has_smtp as "isSetUp", ac.name as account, m.name as mailbox,
     m.signature as "mailboxSignature", coalesce(a.signature, '') as "agentSignature", ${columns(MailboxSmtp, 'p')},
     trim(concat(a.first_name, ' ', a.last_name)) as agent,
     (select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name, 'contentType', x.content_type) order by x.id)
      from (select * from attachments x where x.message_id = s.id order by x.id) x
      where coalesce(strpos(${mail}.detail ->> 'files', x.id::text) > 0, true)) as files,
     array(
       select coalesce(o.message_id || '@' || ${host}::text, r.mail_id)
       from (${BEFORE} order by b.id desc limit ${MAX_SEARCHED}) b
         left join lateral (select mail_id from arrivals where message_id = b.id limit 1) r on true
         left join lateral (select message_id from outgoing_mails where message_id = b.id limit 1) o on true
       where r.mail_id is not null or o.message_id is not null
       order by b.id desc limit ${MAX_ANCESTORS}
     ) as ancestors
   from messages s cross join lateral (select * from tickets where id = s.ticket_id limit 1) t join mailboxes m on m.id = t.mailbox_id
     left join mailbox_smtp p on p.id = m.id join accounts ac on ac.id = s.account_id left join agents a on a.id = s.author_agent_id
   where s.id = coalesce(${mail}.message_id, ${mail}.copy_of) and s.account_id = ${account}`;

/** Loads the contents of messages in the same round trip. $12 is the host of Message-IDs. */
export const CLAIM_MAILS = systemStatement(
  'outgoing_mail_claim',
  'Workers send the mails of all accounts',
  claimMailsSql(contentOf('mail', 'mail.account_id', '$12')),
);

const nameOf = (agent: string): string =>
  `coalesce(nullif(trim(concat(${agent}.first_name, ' ', ${agent}.last_name)), ''), ${agent}.email)`;

/** The ticket has all of a longer message. */
const MAX_NOTICE_CHARACTERS = 20_000;

/** Without a message, the newest one of the ticket. No row if the reason no longer holds or the agent does not want it. */
const READ_AGENT_NOTICE = accountStatement(
  'agent_notice_read',
  `select left(s.plain_text_body, ${MAX_NOTICE_CHARACTERS}) as text, t.number, t.title, t.cc_addresses as cc, m.email as "mailboxEmail", ac.name as account,
     coalesce(nullif(trim(concat(c.first_name, ' ', c.last_name)), ''), c.email, ${nameOf('w')}) as author,
     ${nameOf('b')} as by, g.name as group, ${columns(MailboxSmtp, 'p')}
   from (select * from messages where account_id = $1 and id = coalesce($2, (
       select id from messages where ticket_id = $4 order by id desc limit 1))) s
     cross join lateral (select * from tickets where id = s.ticket_id limit 1) t
     join ${rowById('agents', '$3')} a on a.state = 'active' and $5 = any(a.mail_about)
     left join customers c on c.id = s.author_customer_id left join agents w on w.id = s.author_agent_id
     left join ${rowById('agents', '$6')} b on true left join groups g on g.id = t.assigned_group_id
     join mailboxes m on m.id = t.mailbox_id join accounts ac on ac.id = s.account_id left join mailbox_smtp p on p.id = m.id
   where t.deleted_at is null and case $5 when 'mentions' then true
     when 'groups' then exists (select from group_members where group_id = t.assigned_group_id and agent_id = a.id)
     else t.assignee_id = a.id end`,
);

export interface NoticedMessage {
  readonly text: string;
  readonly number: number;
  readonly title: string | null;
  readonly cc: readonly string[];
  readonly mailboxEmail: string;
  readonly account: string;
  /** The author of the message. */
  readonly author: string;
  /** The agent who caused it; null for a customer’s reply. */
  readonly by: string | null;
  readonly group: string | null;
}

export const readAgentNotice = (
  account: AccountConnection,
  { message, agent, ticket, about, by }: OutgoingMail['detail'],
) => account.row<NoticedMessage>(READ_AGENT_NOTICE, [message, agent, ticket, about, by]);

const MAX_LISTED = 50;

/** With the content of an email to a customer that a trial caught. */
const ofAccount = (host: string): string => `
  select content.*, ${columns(OutgoingMail, 'o')}, ${columns(Mailbox, 'm')}, t.number
  from outgoing_mails o left join messages s on s.id = coalesce(o.message_id, o.copy_of) left join tickets t on t.id = s.ticket_id
    left join mailboxes m on m.id = t.mailbox_id
    left join lateral (${contentOf('o', '$1', host)} and o.state = 'caught' and o.caught is null limit 1) content on true`;

const LIST_OUTGOING_MAILS = accountStatement(
  'outgoing_mails_list',
  `${ofAccount('$2')} where o.account_id = $1 order by o.queued_at desc, o.id desc limit ${MAX_LISTED}`,
);

const READ_OUTGOING_MAIL = accountStatement(
  'outgoing_mail_read',
  `${ofAccount('$3')} where o.id = $2 and ${filter('o.account_id = $1')}`,
);

/** `host` is that of Message-IDs. */
export const listOutgoingMails = (account: AccountConnection, host: string): Promise<Record<string, unknown>[]> =>
  account.rows(LIST_OUTGOING_MAILS, [host]);

export const readOutgoingMail = (account: AccountConnection, id: string, host: string) =>
  account.row(READ_OUTGOING_MAIL, [id, host]);
