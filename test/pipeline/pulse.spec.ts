import { Clock, Database } from '#libs/database';
import { afterAll, expect, it } from 'vitest';
import { type WorkKind, findWork } from '../../apps/worker/src/pulse.statements.js';
import { type Looping, PulseService } from '../../apps/worker/src/pulse.service.js';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

const ID = 'gen_random_uuid()';
const ROWS = `(${ID}, ${ID}, ${ID}`;

const event = (age: string) => `outbox values (${ID}, new_uuid_at(now() - interval '${age}'), array[${ID}])`;
const replay = (
  at: string,
) => `replays (id, account_id, webhook_id, agent_id, choice, since, before, state, next_step_at,
  created_at) values ${ROWS}, ${ID}, 'all', now(), now(), 'counting', ${at}, now())`;
const inbound = (at: string) => `arrivals (id, account_id, mailbox_id, source, hash, size, state, due_at, created_at)
  values ${ROWS}, 'api', '', 0, 'waiting', ${at}, now())`;
const handedOver = (at: string) => `outgoing_mails (id, account_id, lane, kind, state, recipient, due_at, queued_at,
  handed_over_at) values ${ROWS}, 'link', 'queued', '', ${at}, now(), now())`;
const mailbox = (paused: boolean) => `imap_accounts (id, account_id, host, port, security, username, folder, sign_in,
  sealed, key_id, paused, created_at, updated_at)
  values (${ID}, ${ID}, '', 1, 'tls', '', '', 'password', '', '', ${paused}, now(), now())`;
const task = (at: string) => `upkeep_tasks (name, due_at) values (${ID}, ${at})`;

const [PAST, FUTURE] = ["now() - interval '1 minute'", "now() + interval '1 minute'"];

const LATER = [event('-1 minute'), replay(FUTURE), inbound(FUTURE), handedOver(FUTURE), mailbox(true), task(FUTURE)];
const NOW: readonly (readonly [WorkKind, string])[] = [
  ['events', event('1 s')],
  [
    'deliveries',
    `owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
     values ${ROWS}, ${ID}, 1, false, ${PAST})`,
  ],
  ['replays', replay(PAST)],
  ['inboundMails', inbound(PAST)],
  [
    'outboundMails',
    `outgoing_mails (id, account_id, lane, kind, state, recipient, due_at, queued_at)
     values ${ROWS}, 'link', 'queued', '', ${PAST}, now())`,
  ],
  ['outboundMails', handedOver(PAST)],
  ['imapMailboxes', mailbox(false)],
  ['upkeep', task(PAST)],
];

const desk = await startDesk();
afterAll(() => desk.stop());

it.each(NOW)('finds work that is due, and none that is due later: %s', async (kind, row) => {
  await desk.sql.query("set session_replication_role = 'replica'");
  await desk.sql.query('truncate outbox, owed_deliveries, replays, arrivals, outgoing_mails, imap_accounts cascade');
  await desk.sql.query('delete from upkeep_tasks');
  for (const later of LATER) await desk.sql.query(`insert into ${later}`);
  const connection = desk.api.get(Database, { strict: false }).system();

  const before = await findWork(connection, desk.clock.now());
  await desk.sql.query(`insert into ${row}`);

  expect([before, await findWork(connection, desk.clock.now())]).toEqual([[], [kind]]);
});

const PULSE_WAITED = `select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
  and clock_timestamp() - waitstart > interval '1.1 seconds'`;

it('wakes no loop for two seconds after PostgreSQL answered late, so that leases are renewed first', async () => {
  let wokenAt = 0;
  const service = { loop: { wake: () => (wokenAt ||= performance.now()) } };
  const services = Object.fromEntries(NOW.map(([kind]) => [kind, service])) as Record<WorkKind, Looping>;
  const pulse = new PulseService(desk.api.get(Database, { strict: false }), new Clock(), undefined as never, services);
  await desk.sql.query("insert into upkeep_tasks (name, due_at) values ('task', now() - interval '1 minute')");
  await desk.sql.query('begin; lock table upkeep_tasks in access exclusive mode');
  pulse.loop.start();
  await eventually(async () => (await desk.sql.query(PULSE_WAITED)).rowCount === 1);
  await desk.sql.query('commit');
  const answeredAt = performance.now();
  await eventually(() => wokenAt > 0);
  await pulse.loop.stop();

  expect(wokenAt - answeredAt).toBeGreaterThan(1_800);
});
