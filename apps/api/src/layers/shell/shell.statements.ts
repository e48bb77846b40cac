import { accountStatement, rangeOf } from '#libs/database';
import { MAX_COUNTED_ROWS } from '#libs/lists';
import { MAX_SHOWN_UNREAD } from '../ui/layout.js';

const MORE_THAN_SHOWN = MAX_SHOWN_UNREAD + 1;

/** Counts unread tickets of the agent and unassigned ones, and quarantined mails, up to the largest number that is shown. */
export const SIDEBAR_COUNTS = accountStatement(
  'console_sidebar_counts',
  `select (select count(*)::int from (
     (select 1 from tickets where account_id = $1 and state = 'unread' and deleted_at is null and snoozed_until is null
        and assignee_id is null limit ${MORE_THAN_SHOWN})
     union all
     (select 1 from tickets where account_id = $1 and state = 'unread' and deleted_at is null and snoozed_until is null
        and assignee_id = $2 limit ${MORE_THAN_SHOWN})
   ) unread) as unread, (select count(*)::int from (
     select from arrivals where account_id = $1 and state = 'quarantined' limit ${MAX_COUNTED_ROWS}
   ) quarantined) as "quarantinedMails"`,
);

/** Tags come from recent tickets only, because reading all tickets takes too long. */
const RECENT_TICKETS = 500;

export const TICKET_CHOICES = accountStatement(
  'console_choices',
  `select
     coalesce((select jsonb_agg(jsonb_build_object('email', email, 'firstName', first_name, 'lastName', last_name)
       order by first_name, last_name, email) from agents where account_id = $1 and state <> 'archived'), '[]') as agents,
     array(select name from groups where account_id = $1 order by name) as groups,
     array(select name from mailboxes where account_id = $1 order by created_at, id) as mailboxes,
     array(select tag from (
       select t.tags from (
         select ticket_id from ticket_recency where ${rangeOf('account_id', '$1')} and folder <> 'deleted'
         order by account_id desc, changed_in desc, ticket_id desc limit ${RECENT_TICKETS}
       ) n cross join lateral (select tags from tickets where id = n.ticket_id limit 1) t
     ) recent, unnest(recent.tags) tag group by tag order by count(*) desc, tag limit 40) as tags`,
);
