import { Database, accountStatement } from '#libs/database';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { LeasedImap } from './imap-leases.service.js';
import { type ImapSecret, sealedText, secretIn } from './imap-secret.js';

const REPLACE = accountStatement(
  'imap_secret_replace',
  'update imap_accounts set sealed = $4, key_id = $5 where account_id = $1 and id = $2 and lease = $3',
);

/** What opens the server of a mailbox, for the worker that has its lease. */
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
    return secretIn(this.box.open({ sealed, keyId }, id));
  }

  async replace({ accountId, id, lease }: LeasedImap, secret: ImapSecret): Promise<void> {
    const { sealed, keyId } = this.box.seal(sealedText(secret), id);
    await this.database.account(accountId).rows(REPLACE, [id, lease, sealed, keyId]);
  }
}
