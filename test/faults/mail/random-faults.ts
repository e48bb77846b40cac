import { setTimeout as delay } from 'node:timers/promises';
import type { SeededChoices } from '#test/support/seeded-choices.js';

/** Between two faults. */
const PAUSE_MS = { least: 2_000, most: 6_000 };

/** By name. Called with the number of occurrences. */
export type Faults = Readonly<Record<string, (times: number) => Promise<unknown>>>;

/** Runs one fault after the other, in the proportions of the draw. */
export class RandomFaults {
  private readonly counts = new Map<string, number>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly faults: Faults,
    private readonly choices: SeededChoices,
  ) {}

  async run(): Promise<void> {
    const { signal } = this.stopping;
    const names = Object.keys(this.faults);
    for (let turn = 0; !signal.aborted; turn++) {
      // Each at least once, in random order.
      const name = names[turn] ?? this.choices.pick(names);
      const times = (this.counts.get(name) ?? 0) + 1;
      this.counts.set(name, times);
      await this.faults[name]!(times);
      await delay(this.choices.integer(PAUSE_MS.least, PAUSE_MS.most), null, { signal }).catch(() => undefined);
    }
  }

  stop(): void {
    this.stopping.abort();
  }

  summary(): string {
    return [...this.counts].map(([name, count]) => `${name} ${count}`).join(', ');
  }
}
