import type { Logger } from './logger.js';

const REPEAT_AFTER_MS = 60_000;

type Outage = { loggedAt: number; state: 'logged' | 'unlogged' | 'over' };

/** Logs one line when a server does not respond or refuses access, one a minute while that lasts, and one at the end. */
export class OutageLog {
  private readonly outages = new Map<string, Outage>();

  constructor(private readonly logger: Pick<Logger, 'error' | 'warn'>) {}

  /** Called for each failure. `words` tell what is wrong and what to do. */
  lasts(server: string, words: string): void {
    const now = performance.now();
    const outage = this.outages.get(server) ?? { loggedAt: Number.NEGATIVE_INFINITY, state: 'over' };
    this.outages.set(server, outage);
    if (now - outage.loggedAt < REPEAT_AFTER_MS) {
      if (outage.state === 'over') outage.state = 'unlogged';
      return;
    }
    Object.assign(outage, { loggedAt: now, state: 'logged' });
    this.logger.error(words);
  }

  /** Called for each success. */
  isOver(server: string, words = `${server} responds again`): void {
    const outage = this.outages.get(server);
    if (!outage || outage.state === 'over') return;
    if (outage.state === 'logged') this.logger.warn(words);
    outage.state = 'over';
  }
}
