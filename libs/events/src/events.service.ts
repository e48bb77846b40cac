import { type AccountTx, Bell, Clock } from '#libs/database';
import { type EventKind, Links, type SubjectOf, samplePayload, serialisePayload } from '#libs/payloads';
import { Counter, Metrics } from '#libs/telemetry';
import { Injectable, Module } from '@nestjs/common';
import {
  type ActivityDescription,
  type Actor,
  describeActivity,
  insertActivity,
  insertEvents,
  insertSample,
} from './event.statements.js';

export type DomainEvent = { [K in EventKind]: readonly [kind: K, subject: SubjectOf<K>] }[EventKind];

@Injectable()
export class EventsService {
  private readonly recorded: Counter<'kind'>;

  constructor(
    private readonly clock: Clock,
    private readonly links: Links,
    private readonly bell: Bell,
    registry: Metrics,
  ) {
    this.recorded = new Counter({
      name: 'deskwire_events_recorded_total',
      help: 'Events that were committed, by kind',
      labelNames: ['kind'],
      registers: [registry],
    });
  }

  /** Must be the last step of the transaction. Sent together with COMMIT. */
  async record(tx: AccountTx, actor: Actor, ...happened: readonly DomainEvent[]): Promise<void> {
    if (happened.length === 0) return;
    const now = this.clock.now();
    const events = happened.map(([kind, subject]) => ({
      ...describeActivity(kind, subject),
      kind,
      payload: serialisePayload(kind, subject, this.links),
    }));
    insertEvents(tx, actor, events, now);
    this.bell.ringAfter(tx);
    tx.onCommit(() => happened.forEach(([kind]) => this.recorded.inc({ kind })));
  }

  /** For an event that only a test sends. Returns its id. */
  async recordSample(tx: AccountTx, actor: Actor, kind: EventKind): Promise<string> {
    const payload = JSON.stringify(samplePayload(kind, this.links));
    return insertSample(tx, actor, { kind, payload }, this.clock.now());
  }

  /** `record` writes the activities of events. */
  async recordActivity(tx: AccountTx, actor: Actor, kind: string, description: ActivityDescription): Promise<void> {
    await insertActivity(tx, actor, { kind, ...description }, this.clock.now());
    this.bell.ringAfter(tx);
  }
}

@Module({ providers: [EventsService], exports: [EventsService] })
export class EventsModule {}
