import { randomBytes } from 'node:crypto';
import { Clock, later, uuidAt } from '#libs/database';
import { SecretBox } from '#libs/secret-box';
import { type Settings, readSettings } from '#libs/settings';
import { Metrics, OutageLog } from '#libs/telemetry';
import { EventContentService, newWebhookSecret } from '#libs/delivery';
import { WebhookDisablingService } from '#libs/webhooks';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { AttemptLoader } from '../../apps/worker/src/deliveries/attempt/attempt-loader.js';
import { AttemptMetrics } from '../../apps/worker/src/deliveries/attempt/attempt-metrics.js';
import { AttemptRecorder } from '../../apps/worker/src/deliveries/attempt/attempt-recorder.js';
import { AttemptPolicyService } from '../../apps/worker/src/deliveries/attempt/attempt-policy.service.js';
import { AttemptRunner } from '../../apps/worker/src/deliveries/attempt/attempt-runner.js';
import { AttemptsService } from '../../apps/worker/src/deliveries/attempt/attempts.service.js';
import { FirstAttemptsService } from '../../apps/worker/src/deliveries/attempt/first-attempts.service.js';
import { OwedAttemptsService } from '../../apps/worker/src/deliveries/attempt/owed-attempts.service.js';
import { SecretCache } from '../../apps/worker/src/deliveries/attempt/secret-cache.js';
import { DeliverySlotLimiter } from '../../apps/worker/src/deliveries/limits/delivery-slot-limiter.js';
import { ReceiverLimitersService } from '../../apps/worker/src/deliveries/limits/receiver-limiters.service.js';
import { SlowReceiversService } from '../../apps/worker/src/deliveries/limits/slow-receivers.service.js';
import { LeasesService } from '../../apps/worker/src/deliveries/queue/leases.service.js';
import { newWebhookClient } from '../../apps/worker/src/deliveries/sender/webhook-client.js';
import { LiveWorkersService } from '../../apps/worker/src/live-workers.service.js';
import { WorkerMetrics } from '../../apps/worker/src/telemetry/worker-metrics.js';
import { NOW } from './attempts.js';
import type { Ledger } from './ledger.js';
import { Receiver } from './receiver.js';

const ENVIRONMENT = {
  NODE_ENV: 'test',
  SECRETS_KEY: `test:${randomBytes(32).toString('base64')}`,
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_RETRY_SCHEDULE: '5,300',
  WORKER_CONCURRENCY: '4',
};

export class FixedClock extends Clock {
  override now = (): Date => NOW;
}

/** The services of a worker that make attempts, in this process, on a real database. The time is fixed. */
export class AttemptWorker {
  readonly clock = new FixedClock();
  readonly registry = new Metrics('worker');
  readonly lines: Record<string, unknown>[] = [];
  readonly settings: Settings;
  readonly telemetry: WorkerMetrics;
  readonly metrics: AttemptMetrics;
  readonly slots: DeliverySlotLimiter;
  readonly receivers: ReceiverLimitersService;
  readonly secrets: SecretCache;
  readonly loader: AttemptLoader;
  readonly leases: LeasesService;
  readonly recorder: AttemptRecorder;
  readonly attempts: AttemptsService;
  readonly owed: OwedAttemptsService;
  readonly first: FirstAttemptsService;
  readonly runner: AttemptRunner;

  constructor(
    readonly ledger: Ledger,
    environment: Readonly<Record<string, string>> = {},
  ) {
    const { clock, registry } = this;
    const { database } = ledger;
    const settings = (this.settings = readSettings({ ...ENVIRONMENT, DATABASE_URL: ledger.at.url, ...environment }));
    const logger = pino({ level: 'info' }, { write: (line: string) => void this.lines.push(JSON.parse(line)) });
    this.telemetry = new WorkerMetrics(registry, logger, new OutageLog(logger));
    this.slots = new DeliverySlotLimiter(settings);
    const slowReceivers = new SlowReceiversService(database, clock, this.telemetry);
    this.receivers = new ReceiverLimitersService(settings, slowReceivers, new LiveWorkersService());
    this.metrics = new AttemptMetrics(registry, logger, settings, this.telemetry, this.receivers);
    this.secrets = new SecretCache(database, this.telemetry, settings);
    this.loader = new AttemptLoader(database, clock, this.secrets, new EventContentService(settings));
    this.leases = new LeasesService(database, clock, this.telemetry);
    const disabling = new WebhookDisablingService(database, clock);
    this.recorder = new AttemptRecorder(database, clock, this.metrics, disabling, this.leases);
    const client = newWebhookClient(settings, logger);
    this.attempts = new AttemptsService(new AttemptPolicyService(settings, clock), this.receivers, client);
    this.owed = new OwedAttemptsService(this.loader, this.attempts, this.recorder, this.slots, this.leases);
    this.first = new FirstAttemptsService(this.loader, this.attempts, this.recorder, this.owed, this.slots);
    this.runner = new AttemptRunner(this.first, this.owed, this.attempts, this.slots, this.telemetry);
  }

  /** Ends with the test. */
  static ofTest(ledger: Ledger, environment: Readonly<Record<string, string>> = {}): AttemptWorker {
    const worker = new AttemptWorker(ledger, environment);
    onTestFinished(() => worker.stop());
    return worker;
  }

  stop(): void {
    this.slots.close();
    this.attempts.abandonAll();
  }

  /** Ends with the test. */
  async receiver(options: Parameters<typeof Receiver.start>[0] = {}): Promise<Receiver> {
    const receiver = await Receiver.start(options);
    onTestFinished(() => receiver.stop());
    return receiver;
  }

  /** A webhook with a secret. */
  async webhook(url: string, columns: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const webhookId = await this.ledger.webhook({ url, ...columns });
    await this.secret(webhookId);
    return webhookId;
  }

  /** Older ones are replaced. */
  async secret(webhookId: string, { ageMs = 0, expiresAt = null as Date | null, secret = newWebhookSecret() } = {}) {
    const id = uuidAt(NOW);
    const { sealed, keyId } = new SecretBox(this.settings.SECRETS_KEY).seal(secret, webhookId);
    const owner = { account_id: this.ledger.account.id, webhook_id: webhookId };
    const times = { created_at: later(NOW, -ageMs), expires_at: expiresAt };
    await this.ledger.insert('webhook_secrets', { id, ...owner, sealed, key_id: keyId, ...times });
    return { id, secret };
  }

  /** Samples of a metric, by their labels without those of the program, except for those that are 0. */
  async counts(name: string): Promise<Record<string, number>> {
    const found = (await this.registry.metrics()).matchAll(new RegExp(`^deskwire_${name}\\{(.*?)\\} (\\S+)$`, 'gm'));
    const samples = [...found].map(
      ([, labels = '', value]) => [labels.replace(/,?app="worker"/, ''), Number(value)] as const,
    );
    return Object.fromEntries(samples.filter(([, value]) => value !== 0));
  }
}
