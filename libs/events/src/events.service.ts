import { type AccountTx, Bell, Clock, uuidAt } from '#libs/database';
import { type Event, type EventChanges, type Message, Ticket } from '#libs/entities';
import { termsOf } from '#libs/filters';
import { type EventKind, Links, type SubjectOf, serialisePayload, testPayload } from '#libs/payloads';
import { type Counter, Metrics, metricMakers, registerCount } from '#libs/telemetry';
import { Injectable, Module, Optional } from '@nestjs/common';
import {
  type ActivityDescription,
  type Actor,
  type OutboxEvent,
  type RecordedEvent,
  causeOf,
  describeActivity,
  insertActivity,
  insertEvents,
  insertSample,
} from './event.statements.js';

/** An event of a message comes with its ticket, because filters are about tickets. */
export type DomainEvent = {
  [K in EventKind]: readonly [kind: K, subject: SubjectOf<K>, ...beside: Beside<SubjectOf<K>>];
}[EventKind];
type Beside<Subject> = Subject extends Message ? [ticket: Ticket] : [changes?: EventChanges];

/** Puts express events into the queue after their commit. Otherwise, the relay takes them all from the outbox. */
export abstract class HandOver {
  /** Spends the allowance of the account. Returns whether it may hand over `count` more events. */
  abstract spendExpress(accountId: string, count: number): boolean;
  /** Those of the `count` events that webhooks subscribe to. Must not throw. */
  abstract take(accountId: string, count: number, events: readonly CommittedEvent[]): void;
}

/** An event that webhooks subscribe to, with all that a worker needs to send it. */
export type CommittedEvent = OutboxEvent &
  Pick<RecordedEvent, 'kind' | 'payload'> &
  Pick<Event, 'requestId' | 'cause' | 'traceparent' | 'createdAt'>;

@Injectable()
export class EventsService {
  private readonly recorded: Counter<'kind'>;

  constructor(
    private readonly clock: Clock,
    readonly links: Links,
    private readonly bell: Bell,
    registry: Metrics,
    @Optional() private readonly handOver?: HandOver,
  ) {
    const help = 'Events recorded, by kind';
    this.recorded = metricMakers(registry).counter('deskwire_events_recorded_total', help, ['kind']);
    registerCount(registry, {
      name: 'deskwire_bell_errors_total',
      help: 'Failed notifications; listeners poll instead',
      read: () => bell.failures,
    });
  }

  /** Sent with the next statement, or with COMMIT. */
  async record(tx: AccountTx, actor: Actor, ...happened: readonly DomainEvent[]): Promise<void> {
    if (happened.length === 0) return;
    const now = this.clock.now();
    const events = happened.map(([kind, subject, beside]) => {
      const changes = beside instanceof Ticket ? null : (beside ?? null);
      return {
        ...describeActivity(kind, subject, changes),
        id: uuidAt(now),
        kind,
        payload: serialisePayload(kind, subject, this.links),
        changes,
        terms: termsOfEvent(subject, beside),
      };
    });
    const isExpress = this.handOver?.spendExpress(tx.accountId, events.length) ?? false;
    const inOutbox = insertEvents(tx, actor, events, { now, isExpress }).catch(() => []);
    this.bell.ringAfter(tx);
    tx.onCommit(() => {
      for (const [kind] of happened) this.recorded.inc({ kind });
      const byId = new Map(events.map(({ id, kind, payload }) => [id, { kind, payload }]));
      const committed = (one: OutboxEvent): CommittedEvent => ({
        ...one,
        ...byId.get(one.eventId)!,
        requestId: actor.requestId,
        cause: causeOf(actor),
        traceparent: actor.traceparent ?? null,
        createdAt: now,
      });
      void inOutbox.then((waiting) => this.deliver(tx.accountId, events.length, waiting.map(committed)));
    });
  }

  private deliver(accountId: string, count: number, waiting: readonly CommittedEvent[]): void {
    this.handOver?.take(accountId, count, waiting);
    if (waiting.some(({ express }) => !express)) this.bell.ringRelay(accountId);
  }

  /** For an event that only a test sends. Returns its id. */
  async recordSample(tx: AccountTx, actor: Actor, kind: EventKind): Promise<string> {
    const payload = testPayload(kind, this.links);
    return insertSample(tx, actor, { kind, payload }, this.clock.now());
  }

  /** `record` writes the activities of events. */
  async recordActivity(tx: AccountTx, actor: Actor, kind: string, description: ActivityDescription): Promise<void> {
    await insertActivity(tx, actor, { kind, ...description }, this.clock.now());
    this.bell.ringAfter(tx);
  }
}

function termsOfEvent(subject: unknown, beside: unknown): string[] | null {
  const ticket = subject instanceof Ticket ? subject : beside;
  return ticket instanceof Ticket ? termsOf(ticket) : null;
}

@Module({ providers: [EventsService], exports: [EventsService] })
export class EventsModule {}
