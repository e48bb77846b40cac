import { accountStatement, rangeOf } from '#libs/database';

/** Tags come from recent tickets only, because reading all tickets takes too long. */
const RECENT_TICKETS = 500;

/** For an account without a ticket. */
export const FIRST_RUN = accountStatement(
  'console_first_run',
  `select exists (select from imap_accounts where account_id = $1) as "hasImap",
     exists (select from agents where account_id = $1 and id <> $2) as "hasColleagues",
     exists (select from webhooks where account_id = $1) as "hasWebhook",
     (select email from mailboxes where account_id = $1 order by created_at, id limit 1) as mailbox`,
);

export const TICKET_CHOICES = accountStatement(
  'console_choices',
  `select
     coalesce((select jsonb_agg(jsonb_build_object('email', email, 'firstName', first_name, 'lastName', last_name)
       order by first_name, last_name, email) from agents where account_id = $1 and state = 'active'), '[]') as agents,
     array(select name from groups where account_id = $1 order by name) as groups,
     array(select name from mailboxes where account_id = $1 order by created_at, id) as mailboxes,
     array(select tag from (
       select t.tags from (
         select ticket_id from ticket_recency where ${rangeOf('account_id', '$1')} and folder <> 'deleted'
         order by account_id desc, changed_in desc, ticket_id desc limit ${RECENT_TICKETS}
       ) n cross join lateral (select tags from tickets where id = n.ticket_id limit 1) t
     ) recent, unnest(recent.tags) tag group by tag order by count(*) desc, tag limit 40) as tags`,
);
