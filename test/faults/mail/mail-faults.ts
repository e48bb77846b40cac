import { setTimeout as delay } from 'node:timers/promises';
import { SeededChoices } from '../../support/seeded-choices.js';
import type { DroppingProxy } from './dropping-proxy.js';
import type { MailLoad } from './mail-load.js';
import type { MailServer } from './mail-server.js';
import type { MailSystem } from './mail-system.js';

/** Between two faults. */
const PAUSE_MS = { least: 2_000, most: 6_000 };

/** A server, what is between it and the product, and who puts mails there. */
export interface Place {
  readonly server: MailServer;
  readonly proxy: DroppingProxy;
  readonly load: MailLoad;
}

/** One fault after the other, each as often as the draw has it. */
export class MailFaults {
  private readonly counts = new Map<string, number>();
  private readonly stopping = new AbortController();
  private readonly choices: SeededChoices;

  constructor(
    private readonly system: MailSystem,
    private readonly places: readonly Place[],
    seed: number,
  ) {
    this.choices = new SeededChoices(`mail ${seed}`);
  }

  private readonly faults: Readonly<Record<string, () => Promise<unknown>>> = {
    'connection dropped in mid-FETCH': async () => this.place().proxy.dropAfter(this.choices.integer(1, 200_000)),
    'UIDVALIDITY changed': () => this.place().load.renumber(this.counts.get('UIDVALIDITY changed')!),
    'all marked as read': () => this.place().server.markAllRead(),
    'worker killed': () => this.choices.pick(this.system.workers).killFor(this.choices.integer(0, 3_000)),
    'PostgreSQL restarted': () => this.system.postgres.restart(),
  };

  async run(): Promise<void> {
    const { signal } = this.stopping;
    const names = Object.keys(this.faults);
    for (let turn = 0; !signal.aborted; turn++) {
      // Each at least once, in whatever order then.
      const name = names[turn] ?? this.choices.pick(names);
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
      await this.faults[name]!();
      await delay(this.choices.integer(PAUSE_MS.least, PAUSE_MS.most), null, { signal }).catch(() => undefined);
    }
  }

  stop(): void {
    this.stopping.abort();
  }

  summary(): string {
    const dropped = this.places.reduce((sum, { proxy }) => sum + proxy.dropped, 0);
    const done = [...this.counts].map(([name, count]) => `${name} ${count}`).join(', ');
    return `${done}; ${dropped} connections ended in the midst of something`;
  }

  private place(): Place {
    return this.choices.pick(this.places);
  }
}
