import { Clock } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { VERSION } from '#libs/telemetry';
import type { FactoryProvider, Provider } from '@nestjs/common';
import { InFlightDeliveries } from '../queue/in-flight-deliveries.js';
import { OwedDeliveries } from '../queue/owed-deliveries.js';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import { AutoDisableService } from '../upkeep/auto-disable.service.js';
import { AddressGuard } from '../sender/address-guard.js';
import { AttemptLoader } from './attempt-loader.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { type AttemptDependencies, type AttemptPolicy, AttemptsService } from './attempts.service.js';
import { DeliveryProcessor } from './delivery.processor.js';
import { newSecureContext } from '../sender/dial-attempt.js';
import { DirectDialler } from '../sender/dialler.js';
import { ReceiverLimiters } from '../fairness/receiver-limiters.js';
import { DnsResolver } from '../sender/name-resolver.js';
import { SecretCache } from './secret-cache.js';
import { ProxyDialler } from '../sender/proxy-dialler.js';
import { RECEIVER_SLOW_FOR_MS, SlowReceivers } from '../fairness/slow-receivers.js';
import { DeliverySlots } from '../fairness/delivery-slots.js';
import { WebhookClient } from '../sender/webhook-client.js';

const CONNECT_TIMEOUT_MS = 5_000;

const client: FactoryProvider = {
  provide: WebhookClient,
  inject: [SETTINGS_TOKEN],
  useFactory: (settings: Settings) => {
    const guard = new AddressGuard(settings.WEBHOOK_ALLOWED_NETWORKS);
    const dialling = { connectTimeoutMs: CONNECT_TIMEOUT_MS, secureContext: newSecureContext() };
    const dialler = settings.WEBHOOK_PROXY_URL
      ? new ProxyDialler(new URL(settings.WEBHOOK_PROXY_URL), guard, dialling)
      : new DirectDialler(guard, new DnsResolver(), dialling);
    return new WebhookClient(dialler, { requireHttps: settings.WEBHOOK_REQUIRE_HTTPS });
  },
};

const slots: FactoryProvider = {
  provide: DeliverySlots,
  inject: [SETTINGS_TOKEN],
  useFactory: (settings: Settings) => new DeliverySlots(settings.WORKER_CONCURRENCY),
};

const receiverLimiters: FactoryProvider = {
  provide: ReceiverLimiters,
  inject: [SETTINGS_TOKEN, DeliverySlots, SlowReceivers],
  useFactory: (settings: Settings, deliverySlots: DeliverySlots, slowReceivers: SlowReceivers) =>
    new ReceiverLimiters(settings.WORKER_CONCURRENCY, {
      onSlowCount: (count) => deliverySlots.adjust(count),
      onSilent: (webhookId) => slowReceivers.mark(webhookId),
    }),
};

/** A receiver that answered 410 gets no more, and what was owed to it is cancelled. */
const onGone: FactoryProvider = {
  provide: 'onGone',
  inject: [AutoDisableService],
  useFactory: (autoDisable: AutoDisableService) => async (webhookId: string) => {
    await autoDisable.disable({ webhookId, reason: 'gone' });
  },
};

const ATTEMPT_DEPENDENCIES = {
  clock: Clock,
  loader: AttemptLoader,
  client: WebhookClient,
  recorder: AttemptRecorder,
  owed: OwedDeliveries,
  inFlight: InFlightDeliveries,
  receiverLimiters: ReceiverLimiters,
  slots: DeliverySlots,
  telemetry: WorkerTelemetry,
  onGone: 'onGone',
} satisfies Record<keyof AttemptDependencies, unknown>;

const attempts: FactoryProvider = {
  provide: AttemptsService,
  inject: [SETTINGS_TOKEN, ...Object.values(ATTEMPT_DEPENDENCIES)],
  useFactory: (settings: Settings, ...parts: unknown[]) => {
    const named = Object.fromEntries(Object.keys(ATTEMPT_DEPENDENCIES).map((name, index) => [name, parts[index]]));
    return new AttemptsService(attemptPolicy(settings), named as unknown as AttemptDependencies);
  },
};

function attemptPolicy(settings: Settings): AttemptPolicy {
  return {
    version: VERSION,
    aliases: settings.EVENT_HEADER_ALIASES,
    timeoutMs: settings.WEBHOOK_TIMEOUT_MS,
    scheduleMs: settings.WEBHOOK_RETRY_SCHEDULE.map((seconds) => seconds * 1000),
    slowForMs: RECEIVER_SLOW_FOR_MS,
  };
}

/** One attempt, from a job to a record: what it is made of. */
export const ATTEMPT_PROVIDERS: Provider[] = [
  client,
  slots,
  SlowReceivers,
  receiverLimiters,
  SecretCache,
  AttemptLoader,
  AttemptRecorder,
  onGone,
  attempts,
  DeliveryProcessor,
];
