import { createHash } from 'node:crypto';
import { Clock, Database, accountStatement, filter, isUuid, rangeOf } from '#libs/database';
import { LATEST_CHANGE } from '#libs/desk';
import { Injectable } from '@nestjs/common';

/** What a page can watch. A topic has a fingerprint, which is compared with the previous one. */
export type Topic =
  | { readonly kind: 'tickets' }
  | { readonly kind: 'ticket'; readonly number: number }
  | { readonly kind: 'presence'; readonly number: number }
  | { readonly kind: 'deliveries' }
  | { readonly kind: 'webhook' | 'mailbox'; readonly id: string }
  | { readonly kind: 'changes' };

const MAX_TOPICS = 4;

/** The version that a page is drawn from when this is the latest change it was told of. */
export const versionOfChanges = (latest: string, since: Date): string =>
  versionOf([CHANGES], since, new Map([[topicKey(CHANGES), latest]]))!;

export const CHANGES: Topic = { kind: 'changes' };

/** Reads `tickets ticket=12`, `webhook=<id>` or `mailbox=<id>`, and ignores everything else. */
export function parseTopics(watch: string): Topic[] {
  return watch.split(' ').flatMap(parseTopic).slice(0, MAX_TOPICS);
}

function parseTopic(word: string): Topic[] {
  const [name, value = ''] = word.split('=');
  if (name === 'tickets' || name === 'deliveries') return [{ kind: name }];
  if ((name === 'webhook' || name === 'mailbox') && isUuid(value)) return [{ kind: name, id: value.toLowerCase() }];
  if (name === 'ticket' && /^[1-9]\d{0,8}$/.test(value))
    return [
      { kind: 'ticket', number: Number(value) },
      { kind: 'presence', number: Number(value) },
    ];
  return [];
}

export function topicKey(topic: Topic): string {
  if ('number' in topic) return `${topic.kind}=${topic.number}`;
  return 'id' in topic ? `${topic.kind}=${topic.id}` : topic.kind;
}

/** As many messages as a page shows. */
const MAILS_WATCHED = 20;

/** More than can happen on a ticket between two looks, and while transactions with older activities commit. */
const ACTIVITIES_WATCHED = 50;

/** One question for all topics of an account. Activities are only ever added, and may commit out of order. */
const FINGERPRINTS = accountStatement(
  'live_fingerprints',
  `select 'tickets' as topic, count(*)::text as answer from activities
   where $3::boolean and account_id = $1 and id > uuid_at($2)
   union all
   select 'ticket=' || t.number, concat_ws(' ', (
     select md5(string_agg(a.id::text, ' ' order by a.id)) from (
       select id from activities where ${rangeOf('ticket_id', 't.id')} order by ticket_id desc, id desc limit ${ACTIVITIES_WATCHED}
     ) a
   ), (
     select string_agg(o.state, ' ' order by s.id)
     from (
       select id from messages where ${rangeOf('ticket_id', 't.id')} order by ticket_id desc, id desc limit ${MAILS_WATCHED}
     ) s
       join outgoing_mails o on o.message_id = s.id
   ))
   from tickets t where t.account_id = $1 and t.number = any($4::integer[])
   union all
   select 'presence=' || ticket_number,
     string_agg(concat_ws(' ', agent_id, coalesce(replying_until > $5, false)), ',' order by agent_id)
   from presences where account_id = $1 and ticket_number = any($4::integer[]) and viewing_until > $5
   group by ticket_number
   union all
   select 'webhook=' || w.id, (
     select md5(string_agg(concat_ws(' ', d.id, d.state, d.attempts, d.next_attempt_at), ',' order by d.id))
     from (
       select * from deliveries where ${filter('account_id = $1')} and ${rangeOf('webhook_id', 'w.id')} order by webhook_id desc, id desc limit 30
     ) d
   ) from unnest($6::uuid[]) w (id)
   union all
   select 'deliveries',
     md5(string_agg(concat_ws(' ', w.id, w.state, w.failing_since, last.id, last.state, r.id, r.redelivered), ',' order by w.id))
   from webhooks w left join lateral (
     select id, state from deliveries d where ${rangeOf('d.webhook_id', 'w.id')} order by d.webhook_id desc, d.id desc limit 1
   ) last on true left join replays r on r.account_id = $1 and r.webhook_id = w.id and r.finished_at is null
   where $7::boolean and w.account_id = $1
   union all
   select 'mailbox=' || m.id,
     concat_ws(' ', t.mail_id, t.arrived_at, (select state from outgoing_mails o where o.id = t.mail_id),
       i.paused, i.connected_at, i.failing_since, i.last_error, x.started_at, x.total, x.done, x.ended_at, x.last_error)
   from mailboxes m left join mailbox_tests t on t.id = m.id left join imap_accounts i on i.id = m.id
     left join imap_imports x on x.id = m.id
   where m.account_id = $1 and m.id = any($9::uuid[])
   union all
   select 'changes', ${LATEST_CHANGE}::text where $8::boolean`,
);

/** The count of an account's activities starts again after this time, so that it stays small. */
const WINDOW_MS = 10 * 60_000;
/** An older transaction may still commit activities with older ids. */
const LATE_COMMIT_MS = 60_000;

export type Fingerprints = ReadonlyMap<string, string>;

@Injectable()
export class Topics {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** One round trip, however many topics. Only fingerprints with the same `since` can be compared. */
  async fingerprints(accountId: string, topics: readonly Topic[], since: Date): Promise<Fingerprints> {
    const kinds = new Set(topics.map(({ kind }) => kind));
    const numbers = new Set(topics.flatMap((topic) => ('number' in topic ? [topic.number] : [])));
    const idsOf = (kind: 'webhook' | 'mailbox'): string[] => [
      ...new Set(topics.flatMap((topic) => ('id' in topic && topic.kind === kind ? [topic.id] : []))),
    ];
    const rows = await this.database
      .account(accountId)
      .rows<{ topic: string; answer: string | null }>(FINGERPRINTS, [
        since,
        kinds.has('tickets'),
        [...numbers],
        this.clock.now(),
        idsOf('webhook'),
        kinds.has('deliveries'),
        kinds.has('changes'),
        idsOf('mailbox'),
      ]);
    const answers = new Map(rows.map(({ topic, answer }) => [topic, answer ?? '']));
    return new Map(topics.map(topicKey).map((key) => [key, answers.get(key) ?? '']));
  }

  /** The same in every process, so that a page from one and a stream from another can be compared. */
  windowStart(): Date {
    return new Date(Math.floor(this.clock.now().getTime() / WINDOW_MS) * WINDOW_MS - LATE_COMMIT_MS);
  }

  /** What a page that watches these topics is drawn from, in a few characters. One round trip. */
  async version(accountId: string, topics: readonly Topic[]): Promise<string> {
    const since = this.windowStart();
    return versionOf(topics, since, await this.fingerprints(accountId, topics, since))!;
  }
}

/** Nothing while the fingerprint of a topic is not known. */
export function versionOf(topics: readonly Topic[], since: Date, fingerprints: Fingerprints): string | undefined {
  const keys = topics.map(topicKey).toSorted();
  if (!keys.every((key) => fingerprints.has(key))) return undefined;
  const parts = keys.map((key) => [key, fingerprints.get(key)]);
  return createHash('sha256')
    .update(JSON.stringify([since, parts]))
    .digest('base64url')
    .slice(0, 16);
}
