import { ReplaysService, TrafficService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import type { Me } from '../sign-in/session.guard.js';
import { webhookOwnerOf } from './webhook-owner.js';

const REPLAYS_SHOWN = 3;
/** Seven days. */
const HOURS_SHOWN = 168;

/** What became of the deliveries of a webhook, all together, and which of them go out again. */
@Injectable()
export class WebhookActivityReader {
  constructor(
    private readonly replays: ReplaysService,
    private readonly traffic: TrafficService,
  ) {}

  async read(me: Me, id: string) {
    const [{ items }, traffic] = await Promise.all([
      this.replays.list(webhookOwnerOf(me), id, { page: 1, perPage: REPLAYS_SHOWN, cursor: undefined }),
      this.traffic.ofWebhooks(me.accountId, [id], HOURS_SHOWN),
    ]);
    return { replays: items, traffic: traffic.get(id) };
  }
}
