import { Database, isUuid, systemStatement } from '#libs/database';
import { InvalidField } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { type AsymmetricKey, asymmetricKeysOf } from './asymmetric-keys.js';

const SOME_ACCOUNTS = systemStatement(
  'webhook_keys_accounts',
  'Whoever asks for public keys has no token; where there is one account, it need not be named',
  'select id from accounts limit 2',
);

/** The public keys of an account, for whoever receives its events. */
@Injectable()
export class WebhookKeysService {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  /** One that does not exist has keys too, so nobody learns here which do. No round trip, or 1 where no account is named. */
  async of(named: string | undefined): Promise<AsymmetricKey[]> {
    const accountId = named ? named.toLowerCase() : await this.onlyAccount();
    if (!isUuid(accountId)) throw new InvalidField('account', 'malformed', 'account must be the id of an account');
    return asymmetricKeysOf(this.settings.SECRETS_KEY, accountId);
  }

  private async onlyAccount(): Promise<string> {
    const [account, another] = await this.database.system().rows<{ id: string }>(SOME_ACCOUNTS);
    if (!account || another)
      throw new InvalidField('account', 'required', 'account is required; keys_url of a webhook has it');
    return account.id;
  }
}
