import { Database } from '#libs/database';
import { type GaugeReading, Metrics, cachedFor, registerGauge, registerPoolGauge } from '#libs/telemetry';
import { BacklogService, type BacklogState, DeliveryQueue, type QueueSize, registerDueGauges } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { InFlightDeliveriesService } from '../deliveries/queue/in-flight-deliveries.service.js';
import { countWebhooks, readFinishedTasks, readImapState, readMailState } from './health.statements.js';

const NO_WEBHOOKS = { active: 0, paused: 0, disabled: 0 };

const CACHED_FOR_MS = 2_000;

/** The databases give every worker the same values. */
@Injectable()
export class StateMetrics {
  private readonly backlogNow = cachedFor(CACHED_FOR_MS, () => this.backlog.read());
  private readonly imapNow = cachedFor(CACHED_FOR_MS, () => readImapState(this.database.system()));
  private readonly mailNow = cachedFor(CACHED_FOR_MS, () => readMailState(this.database.system()));
  private readonly queueNow = cachedFor(CACHED_FOR_MS, () => this.queue.size());

  constructor(
    registry: Metrics,
    inFlight: InFlightDeliveriesService,
    private readonly database: Database,
    private readonly queue: DeliveryQueue,
    private readonly backlog: BacklogService,
  ) {
    const gauge = (name: string, help: string, read: () => GaugeReading | Promise<GaugeReading>, label?: string) =>
      registerGauge(registry, { name: `deskwire_${name}`, help, read, ...(label && { label }) });
    const seconds = (name: keyof BacklogState) => async () => (await this.backlogNow())[name] as number;

    registerPoolGauge(registry, database.pool());
    registerDueGauges(registry, backlog);
    gauge('in_flight', 'Deliveries this worker has in its hands', () => inFlight.count);
    gauge('queue_jobs', 'Jobs in the queue', () => this.jobs(), 'lane');
    gauge('owed_deliveries', 'Deliveries still owed, by what they wait for', () => this.owed(), 'state');
    gauge('owed_oldest_seconds', 'Age of the oldest delivery still owed', seconds('oldestOwedSeconds'));
    gauge('outbox_events', 'Events that are not deliveries yet', seconds('unrelayed'));
    gauge(
      'outbox_oldest_seconds',
      'Age of the oldest event that is not deliveries yet',
      seconds('oldestUnrelayedSeconds'),
    );
    gauge('workers', 'Workers that were heard of lately', async () => (await this.backlog.workers()).length);
    gauge('webhooks', 'Webhooks, by state', () => this.webhooks(), 'state');
    gauge('imap_mailboxes', 'Mailboxes with IMAP, by state', () => this.imap(), 'state');
    gauge(
      'imap_heard_oldest_seconds',
      'How long the server of a mailbox has not been heard of, for the longest',
      async () => (await this.imapNow()).silent,
    );
    type MailGauge = keyof Awaited<ReturnType<typeof readMailState>>;
    const ofMail = (name: MailGauge) => async () => (await this.mailNow())[name];
    gauge('arrivals_oldest_seconds', 'Age of the oldest mail that came in and is not understood', ofMail('arriving'));
    gauge('arrivals_held', 'Mails that wait for a person to look at them', ofMail('held'));
    gauge('outgoing_mails_queued', 'Mails that no mail server has taken yet', ofMail('queued'));
    gauge('outgoing_mails', 'Mails that have not ended yet, by state', () => this.leaving(), 'state');
    gauge('outgoing_oldest_seconds', 'Age of the oldest of them', ofMail('leaving'));
    gauge('upkeep_done_timestamp_seconds', 'When each task of upkeep was last done', () => this.upkeep(), 'task');
  }

  private async jobs(): Promise<GaugeReading> {
    const size: QueueSize = await this.queueNow();
    return { ...size };
  }

  private async owed(): Promise<GaugeReading> {
    return (await this.backlogNow()).owed;
  }

  private async webhooks(): Promise<GaugeReading> {
    return { ...NO_WEBHOOKS, ...(await countWebhooks(this.database.system())) };
  }

  private async imap(): Promise<GaugeReading> {
    const { silent: _silent, ...states } = await this.imapNow();
    return states;
  }

  private async leaving(): Promise<GaugeReading> {
    const { waiting, retrying, sending } = await this.mailNow();
    return { waiting, retrying, sending };
  }

  private upkeep(): Promise<GaugeReading> {
    return readFinishedTasks(this.database.system());
  }
}
