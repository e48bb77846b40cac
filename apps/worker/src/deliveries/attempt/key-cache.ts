import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type AsymmetricKey, asymmetricKeysOf } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const MAX_ACCOUNTS = 1_000;

/** To make an account's keys takes longer than to sign with them. */
@Injectable()
export class KeyCache {
  private readonly made = new LRUCache<string, readonly AsymmetricKey[]>({ max: MAX_ACCOUNTS });

  constructor(@Inject(SETTINGS_TOKEN) private readonly settings: Settings) {}

  of(accountId: string): readonly AsymmetricKey[] {
    const known = this.made.get(accountId) ?? asymmetricKeysOf(this.settings.SECRETS_KEY, accountId);
    this.made.set(accountId, known);
    return known;
  }
}
