import { type DeliveryJob, DeliveryQueue, type Lane } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { Journal } from '../telemetry/journal.js';
import { QueueMemory } from './queue-memory.js';
import { OwedDeliveries } from './owed-deliveries.js';

/**
 * How much of what is owed may be in the queue at once. Bulk is kept to less than a second of work, so that what is added
 * last does not wait long behind it; both together bound the memory of Redis whatever is owed.
 */
const BULK_LIMIT = 2_000;
const TOTAL_LIMIT = 20_000;

/** How old the known size of the queue may be. What this process adds is counted in between. */
const KNOWN_FOR_MS = 50;

/** Added in steps, because preparing a job takes this process time in which it does nothing else. */
const STEP = 100;

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

  /** No round trip to the queue, or one. No room while it cannot be asked. */
  async room(): Promise<Room> {
    if (!this.memory.isCertain) return NONE;
    if (!this.known || performance.now() - this.known.at > KNOWN_FOR_MS) await this.ask();
    if (!this.known || this.known.total >= TOTAL_LIMIT) return NONE;
    return { open: true, bulk: Math.max(0, Math.min(BULK_LIMIT - this.known.bulk, TOTAL_LIMIT - this.known.total)) };
  }

  /** Puts leased deliveries in. One round trip for 100; what the queue does not take is owed again at once. */
  async put(jobs: readonly DeliveryJob[], laneOf: (job: DeliveryJob) => Lane): Promise<void> {
    const expressFirst = jobs.toSorted((a, b) => rank(laneOf(a)) - rank(laneOf(b)));
    for (let done = 0; done < jobs.length; done += STEP)
      await this.putStep(expressFirst.slice(done, done + STEP), laneOf);
  }

  private async putStep(jobs: readonly DeliveryJob[], laneOf: (job: DeliveryJob) => Lane): Promise<void> {
    try {
      await this.queue.add(jobs, laneOf);
      this.count(jobs.filter((job) => laneOf(job) === 'bulk').length, jobs.length);
    } catch (error) {
      this.journal.interrupted('the queue took nothing', error);
      this.known = undefined;
      await this.owed.giveBack(jobs);
    }
  }

  private count(bulk: number, total: number): void {
    if (!this.known) return;
    this.known.bulk += bulk;
    this.known.total += total;
  }

  private async ask(): Promise<void> {
    const size = await this.queue.size().catch(() => undefined);
    this.known = size && { bulk: size.bulk, total: size.bulk + size.express, at: performance.now() };
  }
}

const rank = (lane: Lane): number => (lane === 'express' ? 0 : 1);
