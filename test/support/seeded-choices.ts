import { createHash } from 'node:crypto';

/** A digest is long enough for this many. */
const DRAWS_OF_DIGEST = 8;

/** Choices that are the same for the same seed, so that a round can be repeated. */
export class SeededChoices {
  private drawn = 0;
  private digest = Buffer.alloc(0);

  constructor(private readonly seed: string) {}

  /** From `min` up to but not including `max`. */
  between(min: number, max: number): number {
    return min + (this.draw() / 2 ** 32) * (max - min);
  }

  private draw(): number {
    const at = this.drawn++ % DRAWS_OF_DIGEST;
    if (at === 0) this.digest = createHash('sha256').update(`${this.seed}/${this.drawn}`).digest();
    return this.digest.readUInt32BE(4 * at);
  }

  /** From `min` up to and including `max`. */
  integer(min: number, max: number): number {
    return Math.floor(this.between(min, max + 1));
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integer(0, from.length - 1)]!;
  }

  isLikely(probability: number): boolean {
    return this.between(0, 1) < probability;
  }
}
