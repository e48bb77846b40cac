import {
  type AccountConnection,
  type AccountStatement,
  accountStatement,
  filter,
  rangeOf,
  rowByKey,
} from '#libs/database';
import { LATEST_CHANGE } from '#libs/tickets';
import type { Topic } from './topic.js';

/** As many messages as a page shows. */
const MAILS_WATCHED = 20;

/** More than can happen on a ticket between two looks, and while transactions with older activities commit. */
const ACTIVITIES_WATCHED = 50;

/**
 * A statement for each kind of topic, which PostgreSQL plans once. One for all of them, with parts that its values switch on
 * and off, is planned each time, which takes longer than to answer it. Activities are only ever added, and may commit out of order.
 */
const TICKETS = accountStatement(
  'live_tickets',
  `select 'tickets' as topic, count(*)::text as answer from activities where account_id = $1 and id > uuid_at($2)`,
);

/** With the numbers of a list it is planned each time, which costs more than it does. A page is of one ticket. */
const ticketsIn = (tickets: string, numbers: string): string =>
  `select 'ticket=' || t.number as topic, concat_ws(' ', (
     select md5(string_agg(a.id::text, ' ' order by a.id)) from (
       select id from activities where ${rangeOf('ticket_id', 't.id')} order by ticket_id desc, id desc limit ${ACTIVITIES_WATCHED}
     ) a
   ), (
     select string_agg(o.state, ' ' order by s.id)
     from (
       select id from messages where ${rangeOf('ticket_id', 't.id')} order by ticket_id desc, id desc limit ${MAILS_WATCHED}
     ) s
       join outgoing_mails o on o.message_id = s.id
   ), (
     select string_agg(o.state, ' ' order by o.id)
     from (
       select id from messages where ${rangeOf('ticket_id', 't.id')} order by ticket_id desc, id desc limit ${MAILS_WATCHED}
     ) s
       join outgoing_mails o on o.copy_of = s.id
   ), (
     select string_agg(h.id::text, ' ' order by h.id) from held_replies h where h.ticket_id = t.id
   )) as answer
   from ${tickets}
   union all
   select 'presence=' || ticket_number,
     string_agg(concat_ws(' ', agent_id, coalesce(replying_until > $3, false)), ',' order by agent_id)
   from presences where account_id = $1 and ticket_number = ${numbers} and viewing_until > $3
   group by ticket_number`;

const ONE_TICKET = accountStatement(
  'live_ticket',
  ticketsIn(`${rowByKey('tickets', 'number', '$2::integer')} t`, '$2::integer'),
);
const SOME_TICKETS = accountStatement(
  'live_some_tickets',
  ticketsIn(
    `unnest($2::integer[]) asked (number) cross join lateral ${rowByKey('tickets', 'number', 'asked.number')} t`,
    'any($2::integer[])',
  ),
);

const WEBHOOK = accountStatement(
  'live_webhook',
  `select 'webhook=' || w.id as topic, (
     select md5(string_agg(concat_ws(' ', d.id, d.state, d.attempts, d.next_attempt_at), ',' order by d.id))
     from (
       select * from deliveries where ${filter('account_id = $1')} and ${rangeOf('webhook_id', 'w.id')} order by webhook_id desc, id desc limit 30
     ) d
   ) as answer from unnest($2::uuid[]) w (id)`,
);

const DELIVERIES = accountStatement(
  'live_deliveries',
  `select 'deliveries' as topic,
     md5(string_agg(concat_ws(' ', w.id, w.state, w.failing_since, last.id, last.state, r.id, r.redelivered), ',' order by w.id))
     as answer
   from webhooks w left join lateral (
     select id, state from deliveries d where ${rangeOf('d.webhook_id', 'w.id')} order by d.webhook_id desc, d.id desc limit 1
   ) last on true left join replays r on r.account_id = $1 and r.webhook_id = w.id and r.finished_at is null
   where w.account_id = $1`,
);

const MAILBOX = accountStatement(
  'live_mailbox',
  `select 'mailbox=' || m.id as topic,
     concat_ws(' ', t.mail_id, t.arrived_at, (select state from outgoing_mails o where o.id = t.mail_id),
       i.paused, i.connected_at, i.failing_since, i.last_error, x.started_at, x.total, x.done, x.ended_at, x.last_error) as answer
   from mailboxes m left join mailbox_tests t on t.id = m.id left join imap_accounts i on i.id = m.id
     left join imap_imports x on x.id = m.id
   where m.account_id = $1 and m.id = any($2::uuid[])`,
);

const CHANGES_COMMITTED = accountStatement(
  'live_changes',
  `select 'changes' as topic, ${LATEST_CHANGE}::text as answer`,
);

export interface Fingerprint {
  readonly topic: string;
  readonly answer: string | null;
}

interface Moment {
  /** From which on activities are counted. */
  readonly since: Date;
  readonly now: Date;
}

/** One round trip for each kind of topic, side by side. */
export async function askFingerprints(
  account: AccountConnection,
  topics: readonly Topic[],
  moment: Moment,
): Promise<Fingerprint[]> {
  const answers = questionsOf(topics, moment).map(([statement, values]) =>
    account.rows<Fingerprint>(statement, values),
  );
  return (await Promise.all(answers)).flat();
}

function questionsOf(topics: readonly Topic[], { since, now }: Moment): [AccountStatement, unknown[]][] {
  const kinds = new Set(topics.map(({ kind }) => kind));
  const numbers = unique(topics.flatMap((topic) => ('number' in topic ? [topic.number] : [])));
  const idsOf = (wanted: Topic['kind']) =>
    topics.flatMap((topic) => ('id' in topic && topic.kind === wanted ? [topic.id] : []));
  return [
    ...(kinds.has('tickets') ? [asked(TICKETS, since)] : []),
    ...(numbers.length === 1 ? [asked(ONE_TICKET, numbers[0], now)] : []),
    ...(numbers.length > 1 ? [asked(SOME_TICKETS, numbers, now)] : []),
    ...(kinds.has('webhook') ? [asked(WEBHOOK, unique(idsOf('webhook')))] : []),
    ...(kinds.has('deliveries') ? [asked(DELIVERIES)] : []),
    ...(kinds.has('mailbox') ? [asked(MAILBOX, unique(idsOf('mailbox')))] : []),
    ...(kinds.has('changes') ? [asked(CHANGES_COMMITTED)] : []),
  ];
}

const asked = (statement: AccountStatement, ...values: unknown[]): [AccountStatement, unknown[]] => [statement, values];

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
