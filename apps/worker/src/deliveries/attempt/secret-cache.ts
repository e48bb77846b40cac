import { Database } from '#libs/database';
import { SecretBox } from '#libs/secret-box';
import type { SealedHeaders } from '#libs/webhooks';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import type { DueDelivery } from './due-delivery.js';
import { type SealedSecret, readSecrets } from './attempt.statements.js';

/** Secrets of webhooks, and their keys at 2 KB each. More fill memory. */
export const MAX_CACHED_KEYS = 10_000;

/** Secrets, and headers as JSON. They never change under their id. */
@Injectable()
export class SecretCache {
  private readonly box: SecretBox;
  private readonly opened = new LRUCache<string, string>({ max: MAX_CACHED_KEYS });

  constructor(
    private readonly database: Database,
    private readonly telemetry: WorkerMetrics,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  async load(ids: readonly string[]): Promise<void> {
    // `get` marks secrets as used, so this read does not evict them.
    const unknown = [...new Set(ids)].filter((id) => this.opened.get(id) === undefined);
    if (unknown.length === 0) return;
    for (const row of await readSecrets(this.database.system(), unknown)) this.decrypt(row);
  }

  /** Without secrets if the headers cannot be decrypted, so that nothing is sent. */
  of(secretIds: readonly string[], headersId: string | null): Pick<DueDelivery, 'secrets' | 'credentials'> {
    if (headersId === null) return { secrets: this.get(secretIds), credentials: {} };
    const [text] = this.get([headersId]);
    if (text === undefined) return { secrets: [], credentials: {} };
    const { headers, authentication } = JSON.parse(text) as SealedHeaders;
    return { secrets: this.get(secretIds), credentials: { ...headers, ...authentication } };
  }

  get(ids: readonly string[]): string[] {
    return ids.flatMap((id) => this.opened.get(id) ?? []);
  }

  /** A missing key must not stop the other deliveries of the batch. */
  private decrypt({ id, webhookId, ...sealed }: SealedSecret): void {
    try {
      this.opened.set(id, this.box.open(sealed, webhookId));
    } catch (error) {
      this.telemetry.interrupted('a webhook’s secret cannot be decrypted, so nothing is sent to it', error);
    }
  }
}
