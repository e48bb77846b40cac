import { accountStatement, filter } from '#libs/database';
import { queueMailsSql } from '#libs/mail';

/**
 * A handle that fits several active agents mentions none of them. In a database with the locale `C`, `lower` changes ASCII
 * letters only, so names are also compared with what was typed.
 */
export const INSERT_MENTIONS = accountStatement(
  'mentions_insert',
  `insert into mentions (account_id, message_id, agent_id)
   select $1, $2, (array_agg(a.id order by place))[1] from agents a, unnest($3::text[], $4::text[]) mention (handle, typed),
     lateral (select case when handle in (a.email, split_part(a.email, '@', 1)) then 1
       when typed in (a.first_name, a.last_name) or handle in (lower(a.first_name), lower(a.last_name)) then 2 end as place) fit
   where a.account_id = $1 and a.state = 'active' and place is not null
   group by handle
   having count(*) filter (where place = 1) = 1 or (count(*) filter (where place = 1) = 0 and count(*) = 1)
   on conflict do nothing`,
);

/** Per agent and hour, because an action can assign hundreds of tickets. */
export const MAX_NOTICES = 20;

/** The notices of customers' replies have a limit of their own. */
const RECENT_NOTICES = `select from outgoing_mails o where o.detail ->> 'about' <> 'replies' and o.recipient = noticed.email
  and o.queued_at > $8::timestamptz - interval '1 hour' and ${filter('o.account_id = $1')}
  limit ${MAX_NOTICES}`;

/** One email per agent, for the first reason that applies. */
export const OWE_NOTICES = accountStatement(
  'outgoing_mail_owe_notices',
  queueMailsSql(
    'agent_notice',
    `select $1::uuid, email, jsonb_strip_nulls(jsonb_build_object('about', about, 'agent', id, 'by', $4::uuid,
       'ticket', $2::uuid, 'message', $3::uuid)), $8::timestamptz
     from (
       select distinct on (a.id) a.id, a.email, reason.about from (
         select agent_id, 'mentions' as about, 1 as place from mentions where message_id = $3::uuid
         union all
         select $5::uuid, 'assigned', 2
         union all
         select agent_id, 'groups', 3 from group_members where group_id = $6::uuid
       ) reason join agents a on a.id = reason.agent_id
       where a.account_id = $1 and a.state = 'active' and a.id <> $4::uuid and reason.about = any(a.mail_about)
       order by a.id, reason.place
     ) noticed where (select count(*) from (${RECENT_NOTICES}) recent) < ${MAX_NOTICES}`,
    '$7::uuid',
  ),
);
