import { accountStatement, filter } from '#libs/database';
import { MAX_COUNTED_ROWS } from '#libs/lists';
import { QUARANTINE_PATH } from '../../mailboxes/index.js';
import { SCHEDULED_PATH } from '../composer/scheduled-path.js';
import { MAX_BADGE } from '../../layers/ui/layout.js';

const MORE_THAN_SHOWN = MAX_BADGE + 1;

/** Counts unread tickets of the agent and unassigned ones, quarantined emails and scheduled replies, up to the largest number that is shown. */
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
   ) quarantined) as "${QUARANTINE_PATH}", (select count(*)::int from (
     select from held_replies where account_id = $1 and scheduled_at is not null and ${filter('(agent_id = $2 or $3)')}
     limit ${MAX_COUNTED_ROWS}
   ) scheduled) as "${SCHEDULED_PATH}"`,
);
