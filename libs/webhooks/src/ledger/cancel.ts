import { type AccountConnection, type SystemConnection, accountStatement, systemStatement } from '#libs/database';

/** The owed rows are taken in the order of their ids, as by everyone who takes several, so that nobody deadlocks. */
const cancelWhere = (condition: string, now: string, limit: string): string =>
  `with no_longer_owed as (
     delete from owed_deliveries where delivery_id in (
       select o.delivery_id from owed_deliveries o
       join (select delivery_id from owed_deliveries where ${condition} limit ${limit}) part using (delivery_id)
       order by o.delivery_id for update of o)
     returning delivery_id
   ), cancelled as (
     update deliveries d set state = 'cancelled', next_attempt_at = null, finished_at = ${now}
     from no_longer_owed o where d.id = o.delivery_id and d.state = 'pending'
   )
   select count(*)::int as count from no_longer_owed`;

const CANCEL_OF_WEBHOOK = accountStatement(
  'owed_cancel_of_webhook',
  cancelWhere('account_id = $1 and webhook_id = $2', '$3', '$4'),
);

interface CancelOptions {
  readonly now: Date;
  readonly limit: number;
}

/** What is owed to a webhook that has ended is cancelled, up to `limit`. Says how many deliveries that were. */
export async function cancelOwed(
  connection: AccountConnection,
  webhookId: string,
  { now, limit }: CancelOptions,
): Promise<number> {
  return (await connection.row<{ count: number }>(CANCEL_OF_WEBHOOK, [webhookId, now, limit]))?.count ?? 0;
}

const CANCEL_BEFORE = systemStatement(
  'retention_owed',
  'What is kept is decided by its age alone, in every account',
  cancelWhere('event_id < $1', '$2', '$3'),
);

/** The same for what a paused webhook held, or a replay asked for, when its event is no longer kept. */
export async function cancelOwedBefore(
  db: SystemConnection,
  eventId: string,
  { now, limit }: CancelOptions,
): Promise<number> {
  return (await db.row<{ count: number }>(CANCEL_BEFORE, [eventId, now, limit]))?.count ?? 0;
}
