import { Accounts, Applications, Grants, Passwords, PersonalTokens, SingleUseLinks } from '#libs/access';
import { Clock, Database, createDataSource } from '#libs/database';
import { type Settings, readSettings } from '#libs/settings';
import { Backlog, OperatedWebhooks, Redrive, SealedSecrets, WebhookDisabling } from '#libs/webhooks';

/** Everything a command may need. Put together by hand: a command lives for a moment and should start as fast. */
export interface Operator {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly database: Database;
  readonly accounts: Accounts;
  readonly applications: Applications;
  readonly links: SingleUseLinks;
  readonly passwords: Passwords;
  readonly tokens: PersonalTokens;
  readonly webhooks: OperatedWebhooks;
  readonly backlog: Backlog;
  readonly redrive: Redrive;
  readonly sealed: SealedSecrets;
}

/** A command needs one connection, two at most. */
const POOL_SIZE = 2;

export async function asOperator<T>(
  work: (operator: Operator) => Promise<T>,
  settings: Settings = readSettings(),
): Promise<T> {
  const dataSource = createDataSource({ ...settings, DATABASE_POOL_SIZE: POOL_SIZE }, 'cli');
  await dataSource.initialize();
  try {
    return await work(assemble(settings, new Database(dataSource)));
  } finally {
    await dataSource.destroy();
  }
}

function assemble(settings: Settings, database: Database): Operator {
  const clock = new Clock();
  return {
    settings,
    clock,
    database,
    accounts: new Accounts(database, clock),
    applications: new Applications(database, clock),
    links: new SingleUseLinks(database, clock),
    passwords: new Passwords(database, clock),
    tokens: new PersonalTokens(database, clock, new Grants(database, clock)),
    webhooks: new OperatedWebhooks(database, clock, new WebhookDisabling(database, clock)),
    backlog: new Backlog(database, clock),
    redrive: new Redrive(database, clock),
    sealed: new SealedSecrets(database, settings),
  };
}
