import { Clock, Database, systemStatement } from '#libs/database';
import type { SealingKey } from '#libs/settings';
import { SecretBox } from '#libs/webhooks';
import { MicroBatch } from '../micro-batch.js';
import type { DueDelivery } from './due-delivery.js';
import type { EventCache } from './event-cache.js';
import { patiently } from './patiently.js';

/**
 * Only what is still owed, at the attempt that was asked for, is found: what has been delivered, cancelled or tried
 * since the job was made answers with nothing. Secrets newest first; one that was replaced signs until its end.
 */
const LOAD = systemStatement(
  'delivery_load',
  'A batch holds deliveries of many accounts; each row is read with its own webhook, secrets and event',
  `select o.delivery_id as "deliveryId", o.account_id as "accountId", o.webhook_id as "webhookId", o.attempts,
     w.event as kind, w.url, w.state as "webhookState", w.paced_until as "pacedUntil", s.ids, s.sealed, s.keys
   from unnest($1::uuid[], $2::int[]) as asked(delivery_id, attempts)
   join owed_deliveries o on o.delivery_id = asked.delivery_id and o.attempts = asked.attempts
   join webhooks w on w.id = o.webhook_id
   cross join lateral (
     select array_agg(id order by created_at desc) as ids, array_agg(sealed order by created_at desc) as sealed,
       array_agg(key_id order by created_at desc) as keys
     from webhook_secrets s where s.webhook_id = w.id and (s.expires_at is null or s.expires_at > $3)
   ) s`,
);

interface Row extends Omit<DueDelivery, 'secrets' | 'event'> {
  readonly ids: string[] | null;
  readonly sealed: Buffer[];
  readonly keys: string[];
}

export interface Asked {
  readonly deliveryId: string;
  readonly attempts: number;
  readonly eventId: string;
}

const OPENED_SECRETS = 10_000;

/** Per batch, of up to 200 deliveries: PostgreSQL 1 for the deliveries and, beside it, 1 for events not seen before. */
export class AttemptLoader {
  private readonly box: SecretBox;
  private readonly opened = new Map<string, string>();
  private readonly batch = new MicroBatch<Asked, DueDelivery | null>({
    work: (asked) => patiently(() => this.load(asked)),
    maxItems: 200,
    maxAtOnce: 2,
    lingerMs: 1,
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly events: EventCache,
    keys: readonly SealingKey[],
  ) {
    this.box = new SecretBox(keys);
  }

  load1(asked: Asked): Promise<DueDelivery | null> {
    return this.batch.run(asked);
  }

  private async load(asked: readonly Asked[]): Promise<(DueDelivery | null)[]> {
    const values = [asked.map(({ deliveryId }) => deliveryId), asked.map(({ attempts }) => attempts), this.clock.now()];
    const [rows, events] = await Promise.all([
      this.database.system().rows<Row>(LOAD, values),
      this.events.read(asked.map(({ eventId }) => eventId)),
    ]);
    const found = new Map(rows.map((row) => [row.deliveryId, row]));
    return asked.map(({ deliveryId, eventId }) => {
      const row = found.get(deliveryId);
      const event = events.get(eventId);
      return row && event ? { ...row, event, secrets: this.open(row) } : null;
    });
  }

  /** A stored secret never changes under its id, so what was opened once stays right. */
  private open({ webhookId, ids, sealed, keys }: Row): string[] {
    return (ids ?? []).map((id, index) => {
      const known = this.opened.get(id);
      if (known !== undefined) return known;
      if (this.opened.size >= OPENED_SECRETS) this.opened.clear();
      const secret = this.box.open({ sealed: sealed[index]!, keyId: keys[index]! }, webhookId);
      this.opened.set(id, secret);
      return secret;
    });
  }
}
