import { createHash } from 'node:crypto';

/** Choices that come out the same for the same seed, so that a round can be had again. */
export class SeededChoices {
  private drawn = 0;

  constructor(private readonly seed: string) {}

  /** From `min` up to but not including `max`. */
  between(min: number, max: number): number {
    const digest = createHash('sha256').update(`${this.seed}/${this.drawn++}`).digest();
    return min + (digest.readUInt32BE(0) / 2 ** 32) * (max - min);
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
