import { Clock, Database } from '#libs/database';
import { afterAll, expect, it } from 'vitest';
import { type Looping, PulseService } from '../../apps/worker/src/pulse.service.js';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

const desk = await startDesk();
afterAll(() => desk.stop());

const PULSE_WAITED = `select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
  and clock_timestamp() - waitstart > interval '1.1 seconds'`;

it('wakes no loop for two seconds after PostgreSQL answered late, so that leases are renewed first', async () => {
  let wokenAt = 0;
  const service = { loop: { wake: () => (wokenAt ||= performance.now()) } };
  const kinds = [
    'events',
    'deliveries',
    'replays',
    'inboundMails',
    'outboundMails',
    'imapMailboxes',
    'upkeep',
  ] as const;
  const services = Object.fromEntries(kinds.map((kind) => [kind, service])) as Record<(typeof kinds)[number], Looping>;
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
