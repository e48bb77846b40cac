import { setTimeout as delay } from 'node:timers/promises';
import { type ImapAccount, type ImapImport, type Mailbox, existing, Conflict } from '#libs/entities';
import { parseTime, command, commandGroup, asFields, asTable, asSentence, type CommandContext } from '../command.js';

const POLL_INTERVAL_MS = 500;
const EXIT_FAILED = 1;
const MAILBOX = '<address or id>';

export const mailboxCommands = commandGroup('mailboxes', 'where the tickets of an account come in', [
  command('create', createMailbox)
    .description('make a mailbox')
    .argument('<name>')
    .requiredOption('--account <id or name>', 'the account')
    .requiredOption('--email <address>', 'where customers write to')
    .example('mailboxes create Billing --account "Acme Ltd" --email billing@acme.example'),
  command('list', listMailboxes)
    .description('list the mailboxes of an account')
    .requiredOption('--account <id or name>', 'the account'),
  command('test', testMailbox)
    .description('send a mail to a mailbox and wait until it comes back; exit code 1 if a step fails')
    .argument(MAILBOX)
    .example(
      'mailboxes test support@acme.example',
      'It waits up to two minutes until the mail is sent, and two until it is back. Example:',
    ),
  imapCommand('pause', 'fetch no mail by IMAP for now', (service, one) => service.setImapPaused(one, true)),
  imapCommand('resume', 'fetch mail by IMAP again', (service, one) => service.setImapPaused(one, false)),
  imapCommand('rescan', 'compare what the IMAP server has of the last 14 days with what arrived', (service, one) =>
    service.rescanImap(one),
  ),
  command('import', importMail)
    .description('bring in the mail that the IMAP server had before, telling nobody, and show how far it is')
    .argument(MAILBOX)
    .option('--since <time>', 'only mail of that day or later, as 2026-01-31', parseTime)
    .example(
      'mailboxes import support@acme.example --since 2026-01-01',
      'Ending the command does not stop the import: workers continue. Example:',
    ),
]);

async function createMailbox(
  { database, accounts }: CommandContext,
  name: string,
  options: { account: string; email: string },
) {
  const { id, name: account } = await accounts.find(options.account);
  const wanted = { name, email: options.email };
  const mailbox = await database.systemTransaction((tx) => accounts.addMailbox(tx, id, wanted));
  return asFields({ id: mailbox.id, name: mailbox.name, email: mailbox.email, account });
}

async function listMailboxes({ accounts }: CommandContext, options: { account: string }) {
  const account = await accounts.find(options.account);
  const rows = (await accounts.mailboxes(account.id)).map(({ id, name, email }) => ({ id, name, email }));
  return asTable(rows, 'This account has no mailbox, so it can have no tickets. Make one: mailboxes create');
}

async function testMailbox({ mailboxes }: CommandContext, name: string) {
  const mailbox = await mailboxes.find(name);
  await mailboxes.startTest(mailbox);
  process.stderr.write(`Testing ${mailbox.email}\n`);
  for (; ; await delay(POLL_INTERVAL_MS)) {
    const progress = existing(await mailboxes.progressOfTest(mailbox), 'mailbox');
    if (progress.result === 'running') continue;
    if (progress.result === 'failed') process.exitCode = EXIT_FAILED;
    const rows = progress.steps.map(({ name: step, state, text }) => ({ step, state, text }));
    return asTable(rows, 'Nothing was tested.');
  }
}

async function importMail({ mailboxes }: CommandContext, name: string, { since }: { readonly since?: Date }) {
  const mailbox = await mailboxes.find(name);
  await mailboxes.startImport(mailbox, since ?? null);
  const { state, done, total } = await endOfImport(() => mailboxes.progressOfImport(mailbox));
  if (state === 'stopped') process.exitCode = EXIT_FAILED;
  return asFields({ name: mailbox.name, email: mailbox.email, state, done, total });
}

/** Progress goes to standard error. */
async function endOfImport(read: () => Promise<ImapImport | null>): Promise<ImapImport> {
  for (let told = ''; ; await delay(POLL_INTERVAL_MS)) {
    const progress = existing(await read(), 'imap');
    if (progress.endedAt) return progress;
    const far = progress.lastError ?? (progress.total === null ? 'waiting' : `${progress.done} of ${progress.total}`);
    if (far !== told) process.stderr.write(`${far}\n`);
    told = far;
  }
}

type ImapChange = (service: CommandContext['mailboxes'], mailbox: Mailbox) => Promise<ImapAccount>;

function imapCommand(verb: string, description: string, change: ImapChange) {
  const work = async ({ mailboxes }: CommandContext, wanted: string) => {
    const mailbox = await mailboxes.find(wanted);
    const { host, folder, state, lastResponseAt, lastError } = await change(mailboxes, mailbox);
    const { name, email } = mailbox;
    return asFields({ name, email, host, folder, state, last_response_at: lastResponseAt, last_error: lastError });
  };
  return command(verb, work)
    .description(description)
    .argument(MAILBOX)
    .example(`mailboxes ${verb} support@acme.example`);
}

export const mailCommands = commandGroup('mail', 'mails that came in and that go out', [
  command('show', show)
    .description('what became of a mail')
    .argument('<id>', 'of the arrival, of the mail, or of the message that it brings')
    .example('mail show 01a2090d-38a8-74af-af5e-94bfdbbb8f9a'),
  command('retry', retry)
    .description('send again what failed, and now what waits for its next try; not what may have arrived')
    .argument('[id]', 'of one mail, or of its message')
    .option('--failed', 'all of a mailbox')
    .option('--account <id or name>', 'whose mailbox')
    .option('--mailbox <name or e-mail>', 'the mailbox')
    .example('mail retry --failed --account "Acme Ltd" --mailbox support@acme.example'),
]);

async function show({ mails }: CommandContext, id: string) {
  return asFields(await mails.show(id));
}

type RetryOptions = Readonly<{ failed?: boolean; account?: string; mailbox?: string }>;

async function retry(operator: CommandContext, id: string | undefined, options: RetryOptions) {
  const which = id === undefined ? { mailboxId: await mailboxIn(operator, options) } : { id };
  const count = await operator.mails.retry(which);
  if (id !== undefined && count === 0)
    throw new Conflict('not_sent_again', 'This mail neither failed nor waits. Look at it: mail show');
  return asSentence(`${count} mails are due now.`, { mails: count });
}

async function mailboxIn({ accounts }: CommandContext, { failed, account, mailbox }: RetryOptions): Promise<string> {
  if (!failed || account === undefined || mailbox === undefined)
    throw new Conflict('too_much', 'Name a mail, or --failed with --account and --mailbox.');
  const { id } = await accounts.find(account);
  const found = (await accounts.mailboxes(id)).find((one) => one.name === mailbox || one.email === mailbox);
  return existing(found, 'mailbox').id;
}
