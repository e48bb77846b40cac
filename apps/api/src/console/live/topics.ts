import { Clock, Database, accountStatement, isUuid } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Presences } from './presences.js';

/** What a page can watch. A topic has a fingerprint, which is compared with the previous one. */
export type Topic =
  | { readonly kind: 'tickets' }
  | { readonly kind: 'ticket'; readonly number: number }
  | { readonly kind: 'presence'; readonly number: number }
  | { readonly kind: 'deliveries' }
  | { readonly kind: 'webhook'; readonly id: string };

const MAX_TOPICS = 4;

/** Reads `tickets ticket=12` or `webhook=<id>`, and ignores everything else. */
export function parseTopics(watch: string): Topic[] {
  return watch.split(' ').flatMap(parseTopic).slice(0, MAX_TOPICS);
}

function parseTopic(word: string): Topic[] {
  const [name, value = ''] = word.split('=');
  if (name === 'tickets' || name === 'deliveries') return [{ kind: name }];
  if (name === 'webhook' && isUuid(value)) return [{ kind: 'webhook', id: value }];
  if (name === 'ticket' && /^[1-9]\d{0,8}$/.test(value))
    return [
      { kind: 'ticket', number: Number(value) },
      { kind: 'presence', number: Number(value) },
    ];
  return [];
}

/** Activities are only ever added. Their count changes even when transactions commit out of order. */
const TICKETS = accountStatement(
  'live_tickets',
  'select count(*)::text as answer from activities where account_id = $1 and id > uuid_at($2)',
);

const TICKET = accountStatement(
  'live_ticket',
  `select count(a.id)::text as answer from tickets t join activities a on a.ticket_id = t.id
   where t.account_id = $1 and t.number = $2`,
);

const LAST_DELIVERIES = `
  select md5(string_agg(concat_ws(' ', d.id, d.state, d.attempts, d.next_attempt_at), ',' order by d.id)) as answer`;

const WEBHOOK = accountStatement(
  'live_webhook',
  `${LAST_DELIVERIES} from (
     select * from deliveries where account_id = $1 and webhook_id = $2 order by id desc limit 30
   ) d`,
);

const DELIVERIES = accountStatement(
  'live_deliveries',
  `select md5(string_agg(concat_ws(' ', w.id, w.state, w.failing_since, last.id, last.state), ',' order by w.id)) as answer
   from webhooks w left join lateral (
     select id, state from deliveries d where d.webhook_id = w.id order by id desc limit 1
   ) last on true
   where w.account_id = $1`,
);

@Injectable()
export class Topics {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly presences: Presences,
  ) {}

  /** One round trip. `since` limits what is counted. Only fingerprints with the same `since` can be compared. */
  async fingerprint(accountId: string, topic: Topic, since: Date): Promise<string> {
    const account = this.database.account(accountId);
    if (topic.kind === 'presence') return JSON.stringify(await this.presences.list(accountId, topic.number));
    const [statement, values] = FINGERPRINT_QUERIES[topic.kind](topic as never, since);
    return (await account.row<{ answer: string | null }>(statement, values))?.answer ?? '';
  }

  /** An older transaction may still commit activities with older ids. */
  windowStart(): Date {
    return new Date(this.clock.now().getTime() - 60_000);
  }
}

type FingerprintQuery = readonly [typeof TICKETS, readonly unknown[]];

const FINGERPRINT_QUERIES = {
  tickets: (_: Topic, since: Date): FingerprintQuery => [TICKETS, [since]],
  ticket: ({ number }: Topic & { kind: 'ticket' }): FingerprintQuery => [TICKET, [number]],
  deliveries: (): FingerprintQuery => [DELIVERIES, []],
  webhook: ({ id }: Topic & { kind: 'webhook' }): FingerprintQuery => [WEBHOOK, [id]],
} as const;
