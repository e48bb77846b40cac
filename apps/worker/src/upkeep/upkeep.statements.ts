import { MAX_UUID, type SystemConnection, systemStatement } from '#libs/database';
import { IDEMPOTENCY_KEPT_DAYS, OWED_LANES } from '#libs/delivery';

const TASK_REASON = 'Upkeep serves the installation, not an account';

const TAKE_DUE_TASKS = systemStatement(
  'upkeep_take',
  TASK_REASON,
  `insert into upkeep_tasks as t (name, due_at)
   select name, $1::timestamptz + ms * interval '1 millisecond' from unnest($2::text[], $3::int[]) as wanted(name, ms)
   where not exists (select from upkeep_tasks waiting where waiting.name = wanted.name and waiting.due_at > $1)
   on conflict (name) do update set due_at = excluded.due_at where t.due_at <= $1
   returning name`,
);

type Due = { readonly name: string; readonly everyMs: number };

/** One round trip. */
export async function takeDueTasks(db: SystemConnection, tasks: readonly Due[], now: Date): Promise<string[]> {
  const values = [now, tasks.map(({ name }) => name), tasks.map(({ everyMs }) => everyMs)];
  return (await db.rows<{ name: string }>(TAKE_DUE_TASKS, values)).map(({ name }) => name);
}

const FINISH_TASK = systemStatement(
  'upkeep_finish',
  TASK_REASON,
  'update upkeep_tasks set finished_at = $2, report = $3 where name = $1',
);

export const finishTask = (db: SystemConnection, ...values: [name: string, now: Date, report: object]) =>
  db.rows(FINISH_TASK, values);

const RESCHEDULE_TASK = systemStatement(
  'upkeep_reschedule',
  TASK_REASON,
  'update upkeep_tasks set due_at = least(due_at, $2) where name = $1',
);

export const rescheduleTask = (db: SystemConnection, name: string, dueAt: Date) =>
  db.rows(RESCHEDULE_TASK, [name, dueAt]);

const DELETE_BATCH = 2_000;

const deleteExpiredFrom = (table: string, condition: string) =>
  systemStatement(
    `${table}_delete_expired`,
    'Upkeep deletes expired rows of all accounts',
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${condition} limit ${DELETE_BATCH} for update skip locked)) returning 1`,
  );

const EXPIRED_ROWS = {
  /** A wrong clock must delete no valid key, so an hour is added. */
  idempotency_keys: deleteExpiredFrom(
    'idempotency_keys',
    `created_at < $1::timestamptz - interval '${IDEMPOTENCY_KEPT_DAYS} days 1 hour'`,
  ),
  worker_heartbeats: deleteExpiredFrom('worker_heartbeats', "seen_at < $1::timestamptz - interval '1 day'"),
  api_clocks: deleteExpiredFrom('api_clocks', "seen_at < $1::timestamptz - interval '1 day'"),
  /** A message shows its mail’s outcome as long as it exists. */
  outgoing_mails: deleteExpiredFrom('outgoing_mails', 'message_id is null and copy_of is null and ended_at < $1'),
};

export const deleteExpired = async (
  db: SystemConnection,
  table: keyof typeof EXPIRED_ROWS,
  before: Date,
): Promise<number> => (await db.rows(EXPIRED_ROWS[table], [before])).length;

/** A backlog costs nothing: reads webhooks, not deliveries. */
const FIND_UNDELIVERABLE = systemStatement(
  'undeliverable_find',
  'Deliveries owed to webhooks that ended are cancelled in every account',
  `with recursive ${OWED_LANES}
   select l.webhook_id as "webhookId",
     (select account_id from owed_deliveries o where o.webhook_id = l.webhook_id limit 1) as "accountId"
   from lane l left join lateral (select state from webhooks where id = l.webhook_id limit 1) w on true
   where l.webhook_id is not null and coalesce(w.state = 'disabled', true) limit 100`,
);

export const findUndeliverable = (db: SystemConnection) =>
  db.rows<{ accountId: string; webhookId: string }>(FIND_UNDELIVERABLE);

/**
 * Reads no further back than the rule needs. Starts a day before the first failure, because deliveries under way then
 * fail as well.
 */
const FIND_FAILING = systemStatement(
  'health_find_failing',
  'The rule on receivers that keep failing holds in every account',
  `select w.id as "webhookId", w.failing_since as "failingSince", (
     select count(*)::int from (
       select from deliveries d
       where (d.webhook_id, d.id) >= (w.id, uuid_at(w.failing_since - interval '1 day'))
         and (d.webhook_id, d.id) <= (w.id, '${MAX_UUID}') and d.attempts > 0
         and d.state in ('pending', 'exhausted') and coalesce(d.finished_at >= w.failing_since, true)
       order by d.webhook_id desc, d.id desc limit $2) failed
   ) as "failedDeliveries"
   from webhooks w where w.state = 'active' and w.failing_since <= $1 and (w.warned_at is null or w.failing_since <= $3)`,
);

/** Finds webhooks that failed before `warned` without a warning since, and all that failed before `disabled`. */
export const findFailingWebhooks = (
  db: SystemConnection,
  before: { warned: Date; disabled: Date },
  maxCounted: number,
) =>
  db.rows<{ webhookId: string; failingSince: Date; failedDeliveries: number }>(FIND_FAILING, [
    before.warned,
    maxCounted,
    before.disabled,
  ]);
