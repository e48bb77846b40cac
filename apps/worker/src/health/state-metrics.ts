import { Database } from '#libs/database';
import { readImapState, readMailState } from '#libs/doctor';
import { type GaugeReading, Metrics, cachedFor, registerGauge, registerPoolGauge } from '#libs/telemetry';
import {
  BacklogService,
  type BacklogState,
  DeliveryQueue,
  readWorkerVersions,
  registerDueGauges,
} from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { DeliverySlotLimiter } from '../deliveries/limits/delivery-slot-limiter.js';
import { countWebhooks, readFinishedTasks } from './health.statements.js';

const NO_WEBHOOKS = { active: 0, paused: 0, disabled: 0 };

const CACHED_FOR_MS = 2_000;

/** The databases give every worker the same values. */
@Injectable()
export class StateMetrics {
  constructor(
    registry: Metrics,
    slots: DeliverySlotLimiter,
    database: Database,
    queue: DeliveryQueue,
    backlog: BacklogService,
  ) {
    const backlogNow = cachedFor(CACHED_FOR_MS, () => backlog.read());
    const imapNow = cachedFor(CACHED_FOR_MS, () => readImapState(database.system()));
    const mailNow = cachedFor(CACHED_FOR_MS, () => readMailState(database.system()));
    const queueNow = cachedFor(CACHED_FOR_MS, () => queue.size());

    type Read = () => GaugeReading | Promise<GaugeReading>;
    const gauge = (name: string, help: string, read: Read) =>
      registerGauge(registry, { name: `deskwire_${name}`, help, read });
    const gaugeBy = (label: string, name: string, help: string, read: Read) =>
      registerGauge(registry, { name: `deskwire_${name}`, help, read, label });
    const ofBacklog = (name: keyof BacklogState) => async () => (await backlogNow())[name];
    const ofMail = (name: keyof Awaited<ReturnType<typeof readMailState>>) => async () => (await mailNow())[name];
    const webhooks = async () => ({ ...NO_WEBHOOKS, ...(await countWebhooks(database.system())) });

    registerPoolGauge(registry, database.pool());
    registerDueGauges(registry, backlog);
    gauge('in_flight', 'Deliveries that this worker is attempting now', () => slots.taken);
    gaugeBy('lane', 'queue_jobs', 'Jobs in the queue', async () => ({ ...(await queueNow()) }));
    gaugeBy('state', 'owed_deliveries', 'Pending deliveries, by state', ofBacklog('owed'));
    gauge('owed_oldest_seconds', 'Age of the oldest pending delivery', ofBacklog('oldestOwedSeconds'));
    gauge('outbox_events', 'Events without deliveries yet', ofBacklog('unrelayed'));
    gauge('outbox_oldest_seconds', 'Age of the oldest event without deliveries', ofBacklog('oldestUnrelayedSeconds'));
    gauge(
      'workers',
      'Workers with a recent heartbeat',
      async () => (await readWorkerVersions(database.system())).length,
    );
    gaugeBy('state', 'webhooks', 'Webhooks, by state', webhooks);
    gaugeBy('state', 'imap_mailboxes', 'Mailboxes with IMAP, by state', async () => {
      const { silent: _silent, longest: _longest, ...states } = await imapNow();
      return states;
    });
    gauge('imap_silent_seconds', 'Longest time since an IMAP server responded', async () => (await imapNow()).longest);
    gauge('arrivals_oldest_seconds', 'Age of the oldest inbound email that is not processed', ofMail('arriving'));
    gauge('arrivals_quarantined', 'Emails in quarantine', ofMail('quarantined'));
    gauge('outgoing_mails_queued', 'Outbound emails that no mail server has accepted yet', ofMail('queued'));
    gaugeBy('state', 'outgoing_mails', 'Outbound emails that are not finished, by state', async () => {
      const { waiting, retrying, sending } = await mailNow();
      return { waiting, retrying, sending };
    });
    gauge('outgoing_oldest_seconds', 'Age of the oldest unfinished outbound email', ofMail('leaving'));
    gaugeBy('task', 'upkeep_done_timestamp_seconds', 'Time when each upkeep task last finished', () =>
      readFinishedTasks(database.system()),
    );
  }
}
