import { DeliveryQueue } from '#libs/delivery';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BoundedQueue } from '../../apps/worker/src/deliveries/queue/bounded-queue.js';
import { FeederService } from '../../apps/worker/src/deliveries/queue/feeder.service.js';
import { LiveWorkersService } from '../../apps/worker/src/live-workers.service.js';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { NOW } from '#test/support/attempts.js';
import { eventually } from '#test/support/eventually.js';
import { Ledger } from '#test/support/ledger.js';

const FEEDER_WAITED = `select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
  and clock_timestamp() - waitstart > interval '1.1 seconds'`;

let ledger: Ledger;
let worker: AttemptWorker;
let queue: DeliveryQueue;
beforeAll(async () => {
  ledger = await Ledger.start();
  worker = new AttemptWorker(ledger);
  queue = DeliveryQueue.open(worker.settings, () => undefined);
});
afterAll(async () => {
  await queue.close();
  worker.stop();
  await ledger.stop();
});

it('queues no expired delivery for two seconds after PostgreSQL answered late, so that leases are renewed first', async () => {
  const workers = new LiveWorkersService();
  workers.mayWork = true;
  const feeder = new FeederService(worker.leases, new BoundedQueue(queue, workers), worker.telemetry);
  await ledger.owed(await ledger.webhook(), { queued: true, dueAt: NOW });
  await ledger.sql.query('begin; lock table owed_deliveries in access exclusive mode');
  feeder.loop.start();
  await eventually(async () => (await ledger.sql.query(FEEDER_WAITED)).rowCount === 1);
  await ledger.sql.query('commit');
  const answeredAt = performance.now();
  await eventually(async () => (await queue.size()).bulk === 1);
  const fedAfterMs = performance.now() - answeredAt;
  await feeder.loop.stop();

  expect(fedAfterMs).toBeGreaterThan(1_800);
});
