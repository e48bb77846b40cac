import { LiveWorkersService } from '../../apps/worker/src/live-workers.service.js';
import {
  type Permit,
  type Refusal,
  ReceiverLimitersService,
} from '../../apps/worker/src/deliveries/limits/receiver-limiters.service.js';
import type { RequestEnd } from '../../apps/worker/src/deliveries/limits/request-limiter.js';
import { vi } from 'vitest';
import { settled } from './requests.js';

const SETTINGS = { WORKER_CONCURRENCY: 400, WEBHOOK_HOST_CONCURRENCY: 1_000, WEBHOOK_HOST_PER_SECOND: 200 };

interface Asked {
  readonly accountId?: string;
  readonly webhookId?: (place: number) => string;
  readonly url?: string;
}

/** Requests under the limiters of a worker. The test has fake timers. */
export class LimitedRequests {
  readonly workers = new LiveWorkersService();
  readonly slow: string[] = [];
  readonly permits: { readonly webhookId: string; readonly accountId: string; readonly end: Permit['end'] }[] = [];
  readonly refusals: Refusal[] = [];
  readonly limiters: ReceiverLimitersService;

  constructor(settings: Partial<typeof SETTINGS> = {}) {
    const mark = (id: string): void => void this.slow.push(id);
    this.limiters = new ReceiverLimitersService({ ...SETTINGS, ...settings }, { mark }, this.workers);
  }

  /** One webhook for each delivery, unless named. */
  async ask(
    count: number,
    { accountId = 'one', webhookId = (place) => `${accountId} ${place}`, url = 'https://hooks.example/' }: Asked = {},
  ): Promise<void> {
    for (let place = 0; place < count; place++) {
      const wanted = { accountId, webhookId: webhookId(place), url };
      void this.limiters
        .acquire(wanted)
        .then((answer) =>
          answer.kind === 'permit' ? this.permits.push({ ...wanted, end: answer.end }) : this.refusals.push(answer),
        );
    }
    await settled();
  }

  async endAll(how: RequestEnd): Promise<void> {
    for (const permit of this.permits.splice(0)) permit.end(how);
    await settled();
  }

  async pass(ms: number): Promise<void> {
    for (let step = 0; step < ms / 100; step++) {
      vi.advanceTimersByTime(100);
      await settled();
    }
  }
}

export const of = (webhookId: string) => () => webhookId;
