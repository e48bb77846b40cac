import type { WalPosition } from './wal-position.js';

interface Known {
  readonly position: WalPosition;
  /** Of `performance.now()`, before the primary was asked. */
  readonly askedAt: number;
}

/**
 * Where the primary was at some moments of the last seconds. A replica that has reached one of these positions has all
 * that was committed until then: how old its answers are is known without trusting any clock but this process's own, and
 * also where the replica hears nothing from the primary any more.
 */
export class KnownPositions {
  private known: Known[] = [];

  constructor(private readonly keptMs: number) {}

  add(position: WalPosition, askedAt: number): void {
    this.known = [...this.known.filter((one) => askedAt - one.askedAt <= this.keptMs), { position, askedAt }];
  }

  /** How old an answer from there may be. More than can be known is infinite. */
  ageAt(reached: WalPosition, now: number): number {
    const last = this.known.findLast(({ position }) => position <= reached);
    return last ? now - last.askedAt : Number.POSITIVE_INFINITY;
  }

  /** For how long something has been missing there; 0 where nothing was. Undefined until the primary was asked. */
  lagAt(reached: WalPosition, now: number): number | undefined {
    if (this.known.length === 0) return undefined;
    const missing = this.known.findLastIndex(({ position }) => position <= reached) + 1;
    const first = this.known[missing];
    return first ? now - first.askedAt : 0;
  }
}
