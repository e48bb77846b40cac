import { Command, InvalidArgumentError } from 'commander';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
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
import { Database, DatabaseClock, Transactions, createDataSource, snakeCase } from '#libs/database';
import { OperatorMailsService } from '#libs/mail';
import { OperatorMailboxesService, SEALED_IMAP_ACCOUNTS, SEALED_SMTP_PASSWORDS } from '#libs/mailboxes';
import { SealedSecretsService, SecretBox } from '#libs/secret-box';
import { type Settings, readSettings } from '#libs/settings';
import { BacklogService } from '#libs/delivery';
import {
  AccessRevocationService,
  OperatorReplaysService,
  OperatorWebhooksService,
  SEALED_WEBHOOK_SECRETS,
  WebhookDisablingService,
} from '#libs/webhooks';

/** `given` holds Commander's arguments: the command's argument if it has one, then the options. */
type Work = (operator: CommandContext, ...given: never[]) => Promise<Output>;

class OperatorCommand extends Command {
  example(line: string, introduction = 'Example:'): this {
    return this.addHelpText('after', `\n${introduction}\n  ${line}`);
  }
}

export function command(name: string, work: Work): OperatorCommand {
  const made = new OperatorCommand(name);
  return made.action(async (...given: unknown[]) => {
    const { text, data } = await withCommandContext((operator) => work(operator, ...(given as never[])));
    console.log(made.opts()['json'] ? JSON.stringify(data, null, 2) : text);
  });
}

export function commandGroup(name: string, description: string, commands: readonly Command[]): Command {
  const group = new Command(name).description(description);
  for (const one of commands) group.addCommand(one.option('--json', 'print JSON'));
  return group;
}

/** For an option that may be given several times, each a value or a comma list. */
export const collectList = (value: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  ...value.split(',').map((part) => part.trim()),
];

/** For an option that may be given several times and whose values may hold commas. */
export const collectValues = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

export function parseWholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new InvalidArgumentError('Give a whole number.');
  return number;
}

export function parseTime(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Give a time such as 2026-01-31T08:00:00Z.');
  return time;
}

export type PasswordOptions = { readonly passwordStdin?: boolean };

/** 120 bits, and short enough to be typed once. */
export const randomPassword = (): string => randomBytes(15).toString('base64url');

/** Reads standard input, which keeps the password out of the shell history and the process list. */
export const newPassword = ({ passwordStdin }: PasswordOptions): string =>
  passwordStdin ? readFileSync(0, 'utf8').replace(/\r?\n$/, '') : randomPassword();

/** Shows the password only if it was generated. */
export const asFieldsWithPassword = (row: Row, password: string, { passwordStdin }: PasswordOptions): Output =>
  passwordStdin ? asFields(row) : asFields({ ...row, password }, 'The password is shown only now.');

type Cell = string | number | boolean | Date | null | undefined | readonly string[];
export type Row = Readonly<Record<string, Cell>>;

/** The fields of a record, under their names in snake_case. */
export const rowOf = <Field extends string>(record: Readonly<Record<Field, Cell>>, ...fields: readonly Field[]): Row =>
  Object.fromEntries(fields.map((field) => [snakeCase(field), record[field]]));

export type Output = { readonly text: string; readonly data: unknown };

export const asTable = (rows: readonly Row[], whenEmpty: string): Output => ({
  text: rows.length === 0 ? whenEmpty : table(rows),
  data: rows,
});

export function asFields(row: Row, remark?: string): Output {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  const lines = Object.entries(row).map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}`);
  return { text: [...lines, ...(remark ? ['', remark] : [])].join('\n'), data: row };
}

export const asSentence = (text: string, data: Row = {}): Output => ({ text, data });

function table(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => formatCell(row[name]))),
  ];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const draw = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return cells.map((line) => draw(line).trimEnd()).join('\n');
}

function formatCell(value: Cell): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(' ') : String(value);
}

export type CommandContext = ReturnType<typeof createCommandContext>;

const POOL_SIZE = 2;

export async function withCommandContext<T>(
  work: (operator: CommandContext) => Promise<T>,
  settings: Settings = readSettings(),
): Promise<T> {
  const dataSource = createDataSource({ ...settings, DATABASE_POOL_SIZE: POOL_SIZE }, 'cli');
  await dataSource.initialize();
  try {
    const clock = new DatabaseClock();
    await clock.read(dataSource);
    return await work(createCommandContext(settings, new Database(dataSource), clock));
  } finally {
    await dataSource.destroy();
  }
}

/** Services of the commands, created without Nest so that a command starts fast. */
function createCommandContext(settings: Settings, database: Database, clock: DatabaseClock) {
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
    twoFactor: new TwoFactorService(transactions, new SecretBox(settings.SECRETS_KEY)),
    tokens: new PersonalTokensService(transactions, new GrantsService(transactions, revocation)),
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
