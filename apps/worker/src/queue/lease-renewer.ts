import { Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { Journal } from '../telemetry/journal.js';
import { InHand } from './in-hand.js';
import { OwedDeliveries } from './owed-deliveries.js';

const LOOK_MS = 1_000;
/** Most deliveries are through before; these few are worth a write. */
const LONG_MS = 1_000;

/**
 * Says again and again that this process still works on what it has had in hand for long: mostly requests to receivers
 * that take their time. Their jobs may be gone by then; nobody else gets them for as long as this goes on, and somebody
 * does a few seconds after it ends. Nothing in hand for long: no round trip.
 */
@Injectable()
export class LeaseKeeper {
  private readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.journal.interrupted('leases could not be renewed', error),
  });

  constructor(
    private readonly inHand: InHand,
    private readonly owed: OwedDeliveries,
    private readonly journal: Journal,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<number> {
    await this.owed.renew(this.inHand.forLongerThan(LONG_MS));
    return LOOK_MS;
  }
}
