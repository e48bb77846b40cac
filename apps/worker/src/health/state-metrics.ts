import { Database, systemStatement } from '#libs/database';
import { Metrics, type GaugeReading, cachedFor, registerPoolGauge, registerGauge } from '#libs/telemetry';
import { BacklogService, type BacklogState, DeliveryQueue, type QueueSize, registerDueGauges } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { InFlightDeliveriesService } from '../deliveries/queue/in-flight-deliveries.service.js';

const REASON = 'The operator watches all accounts together';

const COUNT_WEBHOOKS = systemStatement(
  'metrics_webhooks',
  REASON,
  'select state, count(*)::int as count from webhooks group by state',
);

const SELECT_FINISHED_TASKS = systemStatement(
  'metrics_upkeep',
  REASON,
  'select name, extract(epoch from finished_at)::float as at from upkeep_tasks where finished_at is not null',
);

const READ_IMAP = systemStatement(
  'metrics_imap',
  REASON,
  `select count(*) filter (where paused)::int as paused,
     count(*) filter (where not paused and failing_since is not null)::int as failing,
     count(*) filter (where not paused and failing_since is null and connected_at is not null)::int as connected,
     count(*) filter (where not paused and failing_since is null and connected_at is null)::int as waiting,
     max(extract(epoch from clock_timestamp() - coalesce(heard_at, created_at))) filter (where not paused)::float8 as silent
   from imap_accounts`,
);

/** As many as are counted. */
const MAX_MAILS = 50_000;

const READ_MAIL = systemStatement(
  'metrics_mail',
  REASON,
  `select arriving.oldest as arriving, leaving.*, held.held
   from (
     select coalesce(max(extract(epoch from clock_timestamp() - created_at)), 0)::float8 as oldest
     from (select created_at from arrivals where state = 'waiting' limit ${MAX_MAILS}) waiting
   ) arriving, (
     select count(*) filter (where not taken)::int as queued,
       coalesce(max(extract(epoch from clock_timestamp() - queued_at)) filter (where not taken), 0)::float8 as leaving,
       count(*) filter (where lease is null and tries = 0)::int as waiting,
       count(*) filter (where lease is null and tries > 0)::int as retrying,
       count(*) filter (where lease is not null)::int as sending
     from (
       (select queued_at, lease, tries, false as taken from outgoing_mails
        where state = 'queued' and handed_over_at is null limit ${MAX_MAILS})
       union all
       (select queued_at, lease, tries, true from outgoing_mails
        where state = 'queued' and handed_over_at is not null limit ${MAX_MAILS})
     ) queued
   ) leaving, (
     select count(*)::int as held from (select from arrivals where state = 'held' limit ${MAX_MAILS}) held
   ) held`,
);

const NO_WEBHOOKS = { active: 0, paused: 0, disabled: 0 };

/** All gauges of one scrape share one read. */
const CACHED_FOR_MS = 2_000;

/** Gauges: the present state, as opposed to what happened. Those read from the databases are the same in every worker. */
@Injectable()
export class StateMetrics {
  private readonly backlogNow = cachedFor(CACHED_FOR_MS, () => this.backlog.read());
  private readonly imapNow = cachedFor(CACHED_FOR_MS, () =>
    this.database.system().row<Record<string, number | null>>(READ_IMAP),
  );
  private readonly mailNow = cachedFor(CACHED_FOR_MS, () =>
    this.database.system().row<Record<string, number>>(READ_MAIL),
  );
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
      async () => (await this.imapNow())?.['silent'] ?? 0,
    );
    const ofMail = (name: string) => async () => (await this.mailNow())?.[name] ?? 0;
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
    const rows = await this.database.system().rows<{ state: string; count: number }>(COUNT_WEBHOOKS);
    return { ...NO_WEBHOOKS, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
  }

  private async imap(): Promise<GaugeReading> {
    const { connected, waiting, failing, paused } = (await this.imapNow())!;
    return { connected: connected!, waiting: waiting!, failing: failing!, paused: paused! };
  }

  private async leaving(): Promise<GaugeReading> {
    const { waiting, retrying, sending } = (await this.mailNow())!;
    return { waiting: waiting!, retrying: retrying!, sending: sending! };
  }

  private async upkeep(): Promise<GaugeReading> {
    const rows = await this.database.system().rows<{ name: string; at: number }>(SELECT_FINISHED_TASKS);
    return Object.fromEntries(rows.map(({ name, at }) => [name, at]));
  }
}
