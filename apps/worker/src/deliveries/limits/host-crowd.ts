import { HOST_CROWD_MS, MANY_WEBHOOKS_OF_HOST } from './limits.js';

/**
 * Whether requests for many webhooks lately went to one host. It counts no further than that, which bounds memory. Each
 * worker gets deliveries of every webhook, so each counts to the same number, however many workers there are.
 */
export class HostCrowd {
  private webhooks = new Set<string>();
  private before = 0;
  private since: number;

  constructor(now: number) {
    this.since = now;
  }

  saw(webhookId: string, now: number): void {
    this.age(now);
    if (this.webhooks.size <= MANY_WEBHOOKS_OF_HOST) this.webhooks.add(webhookId);
  }

  get isLarge(): boolean {
    return Math.max(this.webhooks.size, this.before) > MANY_WEBHOOKS_OF_HOST;
  }

  age(now: number): void {
    const elapsed = now - this.since;
    if (elapsed < HOST_CROWD_MS) return;
    this.before = elapsed < 2 * HOST_CROWD_MS ? this.webhooks.size : 0;
    this.webhooks = new Set();
    this.since = now;
  }
}
