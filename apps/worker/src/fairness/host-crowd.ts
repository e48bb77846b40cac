import { HOST_CROWD_MS } from './limits.js';

/** Whether requests for many webhooks lately went to one host. It counts no further than that, which bounds memory. */
export class HostCrowd {
  private webhooks = new Set<string>();
  private before = 0;
  private since: number;

  constructor(
    private readonly bounds: { readonly webhooks: number },
    now: number,
  ) {
    this.since = now;
  }

  saw(webhookId: string, now: number): void {
    this.age(now);
    if (this.webhooks.size <= this.bounds.webhooks) this.webhooks.add(webhookId);
  }

  get isLarge(): boolean {
    return Math.max(this.webhooks.size, this.before) > this.bounds.webhooks;
  }

  age(now: number): void {
    const elapsed = now - this.since;
    if (elapsed < HOST_CROWD_MS) return;
    this.before = elapsed < 2 * HOST_CROWD_MS ? this.webhooks.size : 0;
    this.webhooks = new Set();
    this.since = now;
  }
}
