import { accountStatement, filter, rangeOf, rowByKey } from '#libs/database';

/** Writes nothing if the message was read before, so that the page does not wait for the disk. The lock blocks a purge. */
export const MARK_READ = accountStatement(
  'console_read_mark',
  `with before as (
     select message_id from read_marks where account_id = $1 and agent_id = $2 and ticket_id = $3
   ), live as (
     select id from tickets where id = $3 and ${filter('account_id = $1')}
       and not exists (select from before where message_id >= $4) for key share
   ), marked as (
     insert into read_marks as m (agent_id, ticket_id, account_id, message_id) select $2, id, $1, $4 from live
     on conflict (ticket_id, agent_id) do update set message_id = excluded.message_id
       where m.message_id < excluded.message_id
   ) select message_id as "messageId" from before`,
);

const LAST_MERGE = `select y.id from activities y
  where y.account_id = $1 and ${rangeOf('y.ticket_id', '$2')} and y.kind = 'ticket_merged' and y.detail -> 'ticket' = x.detail -> 'ticket'
  order by y.ticket_id desc, y.id desc limit 1`;

/** Finds the undo of a merge while its agent can use it. */
const UNDO_OF_MERGE = `select u.id from bulk_undos u, ${rowByKey('tickets', 'number', "(x.detail ->> 'ticket')::integer")} m
  where u.account_id = $1 and u.agent_id = $3 and u.created_at >= $4 and ${filter('m.merged_into_id = x.ticket_id')} and x.id = (${LAST_MERGE})
    and u.former @> jsonb_build_array(jsonb_build_object('number', $5::integer, 'merged', jsonb_build_object('number', m.number)))
  order by u.id desc limit 1`;

export const LIST_TICKET_ACTIVITIES = accountStatement(
  'console_activities_of_ticket',
  `select x.id, x.kind, x.subject, x.detail, x.created_at as "createdAt",
     nullif(trim(concat(a.first_name, ' ', a.last_name)), '') || coalesce(' (' || p.name || ')', '') as actor,
     case when x.kind = 'ticket_merged' and x.agent_id = $3 then (${UNDO_OF_MERGE}) end as undo
   from activities x left join agents a on a.id = x.agent_id left join applications p on p.id = x.application_id
   where x.account_id = $1 and ${rangeOf('x.ticket_id', '$2')}
     and x.kind not in ('customer_replied', 'agent_replied', 'note_added', 'message_imported', 'ticket_started', 'files_attached')
   order by x.ticket_id desc, x.id desc limit 100`,
);
