import {
  AccountsService,
  ApplicationsService,
  GrantsService,
  PasswordsService,
  PersonalTokensService,
  SEALED_AUTHENTICATORS,
  SingleUseLinksService,
  TwoFactorService,
} from '#libs/access';
import { Clock, Database, Transactions, createDataSource } from '#libs/database';
import { OperatorMailsService } from '#libs/mail';
import { OperatorMailboxesService, SEALED_IMAP_ACCOUNTS, SEALED_SMTP_PASSWORDS } from '#libs/mailboxes';
import { SealedSecretsService } from '#libs/secret-box';
import { type Settings, readSettings } from '#libs/settings';
import {
  AccessRevocationService,
  BacklogService,
  OperatorReplaysService,
  OperatorWebhooksService,
  SEALED_WEBHOOK_SECRETS,
  WebhookDisablingService,
} from '#libs/webhooks';

export type CommandContext = ReturnType<typeof createCommandContext>;

const POOL_SIZE = 2;

export async function withCommandContext<T>(
  work: (operator: CommandContext) => Promise<T>,
  settings: Settings = readSettings(),
): Promise<T> {
  const dataSource = createDataSource({ ...settings, DATABASE_POOL_SIZE: POOL_SIZE }, 'cli');
  await dataSource.initialize();
  try {
    return await work(createCommandContext(settings, new Database(dataSource)));
  } finally {
    await dataSource.destroy();
  }
}

/** Services of the commands, created without Nest so that a command starts fast. */
function createCommandContext(settings: Settings, database: Database) {
  const clock = new Clock();
  const transactions = new Transactions(database, clock);
  const revocation = new AccessRevocationService();
  return {
    settings,
    clock,
    database,
    accounts: new AccountsService(database, clock),
    applications: new ApplicationsService(database, clock, revocation),
    singleUseLinks: new SingleUseLinksService(database, clock),
    passwords: new PasswordsService(transactions),
    twoFactor: new TwoFactorService(transactions, clock, settings),
    tokens: new PersonalTokensService(database, clock, new GrantsService(transactions, revocation)),
    webhooks: new OperatorWebhooksService(database, clock, new WebhookDisablingService(database, clock)),
    replays: new OperatorReplaysService(database, clock, settings),
    backlog: new BacklogService(database, clock),
    mails: new OperatorMailsService(database, clock),
    mailboxes: new OperatorMailboxesService(database, clock, settings),
    sealedSecrets: new SealedSecretsService(database, settings, [
      SEALED_WEBHOOK_SECRETS,
      SEALED_AUTHENTICATORS,
      SEALED_IMAP_ACCOUNTS,
      SEALED_SMTP_PASSWORDS,
    ]),
  };
}
