import { Database } from '#libs/database';
import { SecretBox } from '#libs/secret-box';
import { Injectable } from '@nestjs/common';
import { replaceSecret } from './imap-account.statements.js';
import {
  type HeldImap,
  type ImapRelease,
  type LeasedImap,
  type MailboxCount,
  type RenewedImap,
  claimMailboxes,
  countMailboxes,
  releaseLease,
  renewLeases,
} from './imap-lease.statements.js';
import { type ImapSecret, sealedText } from './imap-secret.js';

@Injectable()
export class ImapLeasesService {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  count(): Promise<MailboxCount> {
    return countMailboxes(this.database.system());
  }

  claim(limit: number, { freeForMs }: { readonly freeForMs: number }): Promise<LeasedImap[]> {
    return claimMailboxes(this.database.system(), { limit, freeForMs });
  }

  async renew(held: readonly HeldImap[]): Promise<Map<string, RenewedImap>> {
    return held.length === 0 ? new Map() : renewLeases(this.database.system(), held);
  }

  release(leased: LeasedImap, release: ImapRelease): Promise<void> {
    return releaseLease(this.database.system(), leased, release);
  }

  openSecret({ id, sealed, keyId }: LeasedImap): ImapSecret {
    return JSON.parse(this.box.open({ sealed, keyId }, id)) as ImapSecret;
  }

  replaceSecret(leased: LeasedImap, secret: ImapSecret): Promise<void> {
    const sealed = this.box.seal(sealedText(secret), leased.id);
    return replaceSecret(this.database.account(leased.accountId), leased, sealed);
  }
}
