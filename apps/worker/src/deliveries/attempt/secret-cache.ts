import { Database, systemStatement } from '#libs/database';
import type { WebhookSecret } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { SecretBox } from '#libs/secret-box';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';

const SELECT_SECRETS = systemStatement(
  'delivery_secrets',
  'A batch signs for webhooks of many accounts; each secret is named by its own id',
  `select id, webhook_id as "webhookId", sealed, key_id as "keyId" from webhook_secrets where id = any($1::uuid[])`,
);

type SealedSecret = Pick<WebhookSecret, 'id' | 'webhookId' | 'sealed' | 'keyId'>;

const MAX_CACHED_SECRETS = 10_000;

/** A secret never changes under its id, so an opened one stays valid. */
@Injectable()
export class SecretCache {
  private readonly box: SecretBox;
  private readonly opened = new LRUCache<string, string>({ max: MAX_CACHED_SECRETS });

  constructor(
    private readonly database: Database,
    private readonly telemetry: WorkerMetrics,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  /** One round trip, or none when all of them are known. */
  async load(ids: readonly string[]): Promise<void> {
    // `get` marks a secret as used, so the ones that are read now do not push it out.
    const unknown = [...new Set(ids)].filter((id) => this.opened.get(id) === undefined);
    if (unknown.length === 0) return;
    for (const row of await this.database.system().rows<SealedSecret>(SELECT_SECRETS, [unknown])) this.decryptOne(row);
  }

  /** Leaves out those that could not be opened. */
  get(ids: readonly string[]): string[] {
    return ids.flatMap((id) => this.opened.get(id) ?? []);
  }

  /** A secret whose key is missing must not stop the other deliveries of the batch. */
  private decryptOne({ id, webhookId, ...sealed }: SealedSecret): void {
    try {
      this.opened.set(id, this.box.open(sealed, webhookId));
    } catch (error) {
      this.telemetry.interrupted('a webhook’s secret cannot be opened, so nothing is sent to it', error);
    }
  }
}
