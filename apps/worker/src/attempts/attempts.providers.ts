import { Clock } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { VERSION } from '#libs/telemetry';
import type { FactoryProvider, Provider } from '@nestjs/common';
import { InHand } from '../queue/in-hand.js';
import { OwedDeliveries } from '../queue/owed-deliveries.js';
import { Journal } from '../telemetry/journal.js';
import { WebhookEnds } from '../upkeep/webhook-ends.js';
import { AddressGuard } from '../sender/address-guard.js';
import { AttemptLoader } from './attempt-loader.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { type AttemptParts, type AttemptPolicy, AttemptsService } from './attempts.service.js';
import { DeliveryWorker } from './delivery-worker.js';
import { tlsTrust } from '../sender/dial-attempt.js';
import { DirectDialler } from '../sender/dialler.js';
import { Lanes } from '../fairness/lanes.js';
import { DnsResolver } from '../sender/name-resolver.js';
import { OpenedSecrets } from './opened-secrets.js';
import { ProxyDialler } from '../sender/proxy-dialler.js';
import { SLOW_FOR_MS, SlowReceivers } from '../fairness/slow-receivers.js';
import { Slots } from '../fairness/slots.js';
import { WebhookClient } from '../sender/webhook-client.js';

const CONNECT_TIMEOUT_MS = 5_000;

const client: FactoryProvider = {
  provide: WebhookClient,
  inject: [SETTINGS_TOKEN],
  useFactory: (settings: Settings) => {
    const guard = new AddressGuard(settings.WEBHOOK_ALLOWED_NETWORKS);
    const dialling = { connectTimeoutMs: CONNECT_TIMEOUT_MS, secureContext: tlsTrust() };
    const dialler = settings.WEBHOOK_PROXY_URL
      ? new ProxyDialler(new URL(settings.WEBHOOK_PROXY_URL), guard, dialling)
      : new DirectDialler(guard, new DnsResolver(), dialling);
    return new WebhookClient(dialler, { requireHttps: settings.WEBHOOK_REQUIRE_HTTPS });
  },
};

const slots: FactoryProvider = {
  provide: Slots,
  inject: [SETTINGS_TOKEN],
  useFactory: (settings: Settings) => new Slots(settings.WORKER_CONCURRENCY),
};

const lanes: FactoryProvider = {
  provide: Lanes,
  inject: [SETTINGS_TOKEN, Slots, SlowReceivers],
  useFactory: (settings: Settings, taken: Slots, slowReceivers: SlowReceivers) =>
    new Lanes(settings.WORKER_CONCURRENCY, {
      slow: (count) => taken.adjust(count),
      silent: (webhookId) => slowReceivers.note(webhookId),
    }),
};

/** A receiver that answered 410 gets no more, and what was owed to it is cancelled. */
const gone: FactoryProvider = {
  provide: 'gone',
  inject: [WebhookEnds],
  useFactory: (ends: WebhookEnds) => async (webhookId: string) => {
    await ends.disable({ webhookId, reason: 'gone' });
  },
};

const PARTS = {
  clock: Clock,
  loader: AttemptLoader,
  client: WebhookClient,
  recorder: AttemptRecorder,
  owed: OwedDeliveries,
  inHand: InHand,
  lanes: Lanes,
  slots: Slots,
  journal: Journal,
  gone: 'gone',
} satisfies Record<keyof AttemptParts, unknown>;

const attempts: FactoryProvider = {
  provide: AttemptsService,
  inject: [SETTINGS_TOKEN, ...Object.values(PARTS)],
  useFactory: (settings: Settings, ...parts: unknown[]) => {
    const named = Object.fromEntries(Object.keys(PARTS).map((name, index) => [name, parts[index]]));
    return new AttemptsService(policyOf(settings), named as unknown as AttemptParts);
  },
};

function policyOf(settings: Settings): AttemptPolicy {
  return {
    version: VERSION,
    aliases: settings.EVENT_HEADER_ALIASES,
    timeoutMs: settings.WEBHOOK_TIMEOUT_MS,
    scheduleMs: settings.WEBHOOK_RETRY_SCHEDULE.map((seconds) => seconds * 1000),
    slowForMs: SLOW_FOR_MS,
  };
}

/** One attempt, from a job to a record: what it is made of. */
export const DELIVERIES: Provider[] = [
  client,
  slots,
  SlowReceivers,
  lanes,
  OpenedSecrets,
  AttemptLoader,
  AttemptRecorder,
  gone,
  attempts,
  DeliveryWorker,
];
