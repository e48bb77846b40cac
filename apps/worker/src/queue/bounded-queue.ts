import { type DeliveryGroup, DeliveryQueue, type Lane, type QueuedDelivery } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { Journal } from '../telemetry/journal.js';
import { LARGEST_GROUP, groupsOf } from './groups.js';
import { QueueMemory } from './queue-memory.js';
import { OwedDeliveries } from './owed-deliveries.js';

/**
 * How many jobs may wait in the queue at once. Bulk is kept to less than a second of work, so that what is added last
 * does not wait long behind it; both together bound the memory of Redis whatever is owed.
 */
const BULK_LIMIT = 40;
const TOTAL_LIMIT = 5_000;

/** How old the known size of the queue may be. What this process adds is counted in between. */
const KNOWN_FOR_MS = 50;

/** Added in steps, because preparing jobs takes this process time in which it does nothing else. */
const STEP = 25;

/** In deliveries. */
export interface Room {
  /** Whether anything at all may be added. */
  readonly open: boolean;
  readonly bulk: number;
}

const NONE: Room = { open: false, bulk: 0 };

/** The queue as a bounded window onto what is owed. */
@Injectable()
export class QueueWindow {
  private known: { bulk: number; total: number; at: number } | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly memory: QueueMemory,
    private readonly owed: OwedDeliveries,
    private readonly journal: Journal,
  ) {}

  /** No round trip to the queue, or two at once. No room while it cannot be asked. */
  async room(): Promise<Room> {
    if (!this.memory.isCertain) return NONE;
    if (!this.known || performance.now() - this.known.at > KNOWN_FOR_MS) await this.ask();
    if (!this.known || this.known.total >= TOTAL_LIMIT) return NONE;
    const jobs = Math.min(BULK_LIMIT - this.known.bulk, TOTAL_LIMIT - this.known.total);
    return { open: true, bulk: Math.max(0, jobs) * LARGEST_GROUP };
  }

  /** Puts leased deliveries in, and never rejects. One round trip for 500; what the queue does not take is owed again at once. */
  async put(lane: Lane, deliveries: readonly QueuedDelivery[], leasedUntil: Date): Promise<void> {
    const groups = groupsOf(lane, deliveries, leasedUntil);
    // At once, so that whoever asks for room meanwhile knows of them.
    this.count(lane, groups.length);
    for (let done = 0; done < groups.length; done += STEP) await this.putStep(lane, groups.slice(done, done + STEP));
  }

  private async putStep(lane: Lane, groups: readonly DeliveryGroup[]): Promise<void> {
    try {
      await this.queue.add(lane, groups);
    } catch (error) {
      this.journal.interrupted('the queue took nothing', error);
      this.known = undefined;
      await this.owed.giveBack(groups.flatMap(({ deliveries }) => deliveries));
    }
  }

  private count(lane: Lane, jobs: number): void {
    if (!this.known) return;
    this.known.total += jobs;
    if (lane === 'bulk') this.known.bulk += jobs;
  }

  private async ask(): Promise<void> {
    const size = await this.queue.size().catch(() => undefined);
    this.known = size && { bulk: size.bulk, total: size.bulk + size.express, at: performance.now() };
  }
}
