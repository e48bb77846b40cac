import { Database, hydrate } from '#libs/database';
import { ImapAccount } from '#libs/entities';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { REPLACE_SECRET } from './imap-account.statements.js';
import {
  CLAIM_MAILBOXES,
  COUNT_MAILBOXES,
  type HeldImap,
  type ImapRelease,
  type LeasedImap,
  RELEASE_LEASE,
  RENEW_LEASES,
  type RenewedImap,
} from './imap-lease.statements.js';

/** Each method is one round trip. */
@Injectable()
export class ImapLeasesService {
  constructor(private readonly database: Database) {}

  async count(): Promise<{ total: number; free: number }> {
    return (await this.database.system().row(COUNT_MAILBOXES, [0])) as { total: number; free: number };
  }

  async claim(limit: number, { freeForMs }: { readonly freeForMs: number }): Promise<LeasedImap[]> {
    const rows = await this.database.system().rows(CLAIM_MAILBOXES, [freeForMs / 1000, limit]);
    return rows.map((row) => hydrate(ImapAccount, row, 'i') as LeasedImap);
  }

  async renew(held: readonly HeldImap[]): Promise<Map<string, RenewedImap>> {
    if (held.length === 0) return new Map();
    const ages = held.map(({ heardAgoMs }) => (heardAgoMs === null ? null : heardAgoMs / 1000));
    const values = [held.map(({ id }) => id), held.map(({ lease }) => lease), ages];
    const rows = await this.database.system().rows<RenewedImap & { id: string }>(RENEW_LEASES, values);
    return new Map(rows.map(({ id, ...renewed }) => [id, renewed]));
  }

  async release({ id, lease }: LeasedImap, { pauseMs, error, stuckUid }: ImapRelease): Promise<void> {
    await this.database.system().rows(RELEASE_LEASE, [id, lease, pauseMs / 1000, error, stuckUid]);
  }
}

export type ImapSecret =
  { readonly password: string } | { readonly refreshToken: string; readonly clientSecret: string | null };

export const sealedText = (secret: ImapSecret): string => JSON.stringify(secret);

@Injectable()
export class ImapSecretsService {
  private readonly box: SecretBox;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  open({ id, sealed, keyId }: LeasedImap): ImapSecret {
    return JSON.parse(this.box.open({ sealed, keyId }, id)) as ImapSecret;
  }

  async replace({ accountId, id, lease }: LeasedImap, secret: ImapSecret): Promise<void> {
    const { sealed, keyId } = this.box.seal(sealedText(secret), id);
    await this.database.account(accountId).rows(REPLACE_SECRET, [id, lease, sealed, keyId]);
  }
}
