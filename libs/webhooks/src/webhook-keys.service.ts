import { Database, isUuid } from '#libs/database';
import { InvalidField } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { type AsymmetricKey, asymmetricKeysOf } from './asymmetric-keys.js';
import { readOnlyAccountId } from './webhook-secret.statements.js';

@Injectable()
export class WebhookKeysService {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  /** Unknown accounts have keys too, so that the answer reveals no account. */
  async of(named: string | undefined): Promise<AsymmetricKey[]> {
    const accountId = named ? named.toLowerCase() : await this.onlyAccount();
    if (!isUuid(accountId)) throw new InvalidField('account', 'malformed', 'account must be the id of an account');
    return asymmetricKeysOf(this.settings.SECRETS_KEY, accountId);
  }

  private async onlyAccount(): Promise<string> {
    const id = await readOnlyAccountId(this.database.system());
    if (id === undefined)
      throw new InvalidField('account', 'required', 'account is required; keys_url of a webhook has it');
    return id;
  }
}
