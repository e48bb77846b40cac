import { accountStatement, filter, rangeOf } from '#libs/database';

export const FIND_BOUNCED_MAIL = accountStatement(
  'mail_returned_find',
  `select s.id, s.ticket_id as "ticketId", t.number, o.recipient
   from (
     select coalesce(message_id, copy_of) as message_id, recipient from outgoing_mails
     where ${rangeOf('return_token', '$2')} and ${filter('account_id = $1')} order by return_token limit 1
   ) o left join messages s on s.id = o.message_id left join tickets t on t.id = s.ticket_id`,
);
