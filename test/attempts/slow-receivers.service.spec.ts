import { later } from '#libs/database';
import { beforeEach, expect, it } from 'vitest';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { NOW } from '#test/support/attempts.js';
import { eventually } from '#test/support/eventually.js';
import { startLedger } from '#test/support/ledger.js';
import { SlowReceiversService } from '../../apps/worker/src/deliveries/limits/slow-receivers.service.js';

const ledger = await startLedger();
let worker: AttemptWorker;
let slowReceivers: SlowReceiversService;
beforeEach(() => {
  worker = AttemptWorker.ofTest(ledger);
  slowReceivers = new SlowReceiversService(ledger.database, worker.clock, worker.telemetry);
});

it('marks a webhook as slow for half a minute, for all workers', async () => {
  const webhookId = await ledger.webhook();
  slowReceivers.mark(webhookId);

  const slowUntil = async () => (await ledger.one('webhooks', webhookId))['slow_until'];
  await eventually(async () => (await slowUntil()) !== null);

  expect(await slowUntil()).toEqual(later(NOW, 30_000));
});

it('logs that a webhook could not be marked', async () => {
  slowReceivers.mark('no id');

  await eventually(() => worker.lines.length === 1);
  expect(worker.lines[0]).toMatchObject({ level: 40, msg: 'a receiver could not be marked as slow' });
});
