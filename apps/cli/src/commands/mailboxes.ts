import { setTimeout as delay } from 'node:timers/promises';
import { type ImapAccount, type ImapImport, type Mailbox, existing } from '#libs/entities';
import { parseTime, command, commandGroup, asFields, asTable, type CommandContext } from '../command.js';

const POLL_INTERVAL_MS = 500;
const EXIT_FAILED = 1;
const MAILBOX = '<address or id>';

export const mailboxCommands = commandGroup('mailboxes', 'addresses that receive tickets', [
  command('create', createMailbox)
    .description('create a mailbox')
    .argument('<name>')
    .requiredOption('--account <id or name>', 'the account')
    .requiredOption('--email <address>', 'address that customers write to')
    .example('mailboxes create Billing --account "Acme Ltd" --email billing@acme.example'),
  command('list', listMailboxes)
    .description('list the mailboxes of an account')
    .requiredOption('--account <id or name>', 'the account'),
  command('test', testMailbox)
    .description('send a test email to a mailbox and wait for it to arrive; exit code 1 if a step fails')
    .argument(MAILBOX)
    .example(
      'mailboxes test support@acme.example',
      'Waits up to two minutes for the email to be sent, and two for it to arrive. Example:',
    ),
  imapCommand('pause', 'stop fetching mail by IMAP', (service, one) => service.setImapPaused(one, true)),
  imapCommand('resume', 'resume fetching mail by IMAP', (service, one) => service.setImapPaused(one, false)),
  imapCommand('rescan', 'fetch mail from the last 14 days that was missed on the IMAP server', (service, one) =>
    service.rescanImap(one),
  ),
  command('import', importMail)
    .description('import existing mail from the IMAP server without notifying anyone, and show progress')
    .argument(MAILBOX)
    .option('--since <time>', 'only mail received on or after this day, such as 2026-01-31', parseTime)
    .example(
      'mailboxes import support@acme.example --since 2026-01-01',
      'Ending the command does not stop the import; the workers continue. Example:',
    ),
]);

async function createMailbox(
  { database, accounts, mailboxes }: CommandContext,
  name: string,
  options: { account: string; email: string },
) {
  const { id, name: account } = await accounts.find(options.account);
  const wanted = { name, email: options.email };
  const mailbox = await database.systemTransaction((tx) => mailboxes.create(tx, id, wanted));
  return asFields({ id: mailbox.id, name: mailbox.name, email: mailbox.email, account });
}

async function listMailboxes({ accounts, mailboxes }: CommandContext, options: { account: string }) {
  const account = await accounts.find(options.account);
  const rows = (await mailboxes.list(account.id)).map(({ id, name, email }) => ({ id, name, email }));
  return asTable(rows, 'This account has no mailbox yet. Create one: mailboxes create');
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
