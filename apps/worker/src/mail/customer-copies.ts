import { systemStatement } from '#libs/database';
import type { Mail } from '#libs/mail';
import { type ClaimedMail, type MailKind, afterClaim } from './mail-kind.js';

const REASON = 'Copies of messages go to customers of every account';

interface CustomerCopy extends ClaimedMail {
  readonly to: string;
  readonly number: number;
  readonly title: string | null;
  readonly text: string;
  readonly agent: string;
  readonly account: string;
  readonly mailboxEmail: string;
}

/**
 * What agents wrote to customers. A worker that dies after the claim may have sent the copy, so nobody sends it again,
 * and a claim is deleted after an hour. Nothing is sent for a ticket that was deleted meanwhile.
 */
export const CUSTOMER_COPIES: MailKind<CustomerCopy> = {
  pollMs: 5_000,
  claim: systemStatement(
    'customer_copy_claim',
    REASON,
    `with left_over as (delete from customer_copies where claimed_at < $1::timestamptz - interval '1 hour'),
     claimed as (
       update customer_copies set claimed_at = $1, tries = tries + 1 where message_id = any(array(
         select message_id from customer_copies where claimed_at is null and due_at <= $1
         order by due_at limit 10 for update skip locked))
       returning message_id, tries, created_at
     )
     select s.id, c.email as to, t.number, t.title, s.plain_text_body as text,
       coalesce(trim(a.first_name || ' ' || a.last_name), '') as agent, ac.name as account, m.email as "mailboxEmail",
       claimed.tries, claimed.created_at as "createdAt"
     from claimed cross join lateral (select * from messages where id = claimed.message_id limit 1) s
       cross join lateral (select * from tickets where id = s.ticket_id limit 1) t
       cross join lateral (select * from customers where id = t.customer_id limit 1) c
       cross join lateral (select * from mailboxes where id = t.mailbox_id limit 1) m
       cross join lateral (select * from accounts where id = t.account_id limit 1) ac
       left join lateral (select * from agents where id = s.author_agent_id limit 1) a on true
     where t.deleted_at is null`,
  ),
  ...afterClaim('customer_copies', 'message_id', REASON),
  compose: copyMail,
  report: (telemetry, { id }, result) => telemetry.copySent(id, result),
};

/** Plain text, because HTML that was written for a page looks different in each mail program. */
function copyMail({ to, number, title, text, agent, account, mailboxEmail }: CustomerCopy): Mail {
  return {
    to,
    replyTo: mailboxEmail,
    subject: `[#${number}] ${oneLine(title) || `A message from ${oneLine(account)}`}`,
    text: `${text.trim()}\n\n${[agent, account].filter((name) => name !== '').join('\n')}\n`,
  };
}

function oneLine(text: string | null): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').trim();
}
