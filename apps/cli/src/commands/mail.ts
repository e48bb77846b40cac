import { existing, Conflict } from '#libs/entities';
import { command, commandGroup, asFields, asSentence, type CommandContext } from '../command.js';

export const mailCommands = commandGroup('mail', 'inbound and outbound emails', [
  command('show', show)
    .description('show the status of an email')
    .argument('<id>', 'ID of the inbound email, outbound email or message')
    .example('mail show 01a2090d-38a8-74af-af5e-94bfdbbb8f9a'),
  command('retry', retry)
    .description('resend failed emails, and retry queued ones now; skips emails that may already have been delivered')
    .argument('[id]', 'ID of one email, or of its message')
    .option('--failed', 'all failed and queued emails of a mailbox')
    .option('--account <id or name>', 'account of the mailbox')
    .option('--mailbox <name or email>', 'the mailbox')
    .example('mail retry --failed --account "Acme Ltd" --mailbox support@acme.example'),
]);

async function show({ mails }: CommandContext, id: string) {
  return asFields(await mails.show(id));
}

const WHICH_MAILS = 'Give the ID of an email, or --failed with --account and --mailbox.';

type RetryOptions = Readonly<{ json?: boolean; failed?: boolean; account?: string; mailbox?: string }>;

async function retry(operator: CommandContext, id: string | undefined, options: RetryOptions) {
  if (id !== undefined && Object.keys(options).some((name) => name !== 'json'))
    throw new Conflict('too_much', WHICH_MAILS);
  const which = id === undefined ? { mailboxId: await mailboxIn(operator, options) } : { id };
  const count = await operator.mails.retry(which);
  if (id !== undefined && count === 0)
    throw new Conflict('not_sent_again', 'This email is neither failed nor queued. See its status: mail show');
  return asSentence(`Emails due now: ${count}.`, { mails: count });
}

async function mailboxIn(
  { accounts, mailboxes }: CommandContext,
  { failed, account, mailbox }: RetryOptions,
): Promise<string> {
  if (!failed || account === undefined || mailbox === undefined) throw new Conflict('too_much', WHICH_MAILS);
  const { id } = await accounts.find(account);
  const found = (await mailboxes.list(id)).find((one) => one.name === mailbox || one.email === mailbox);
  return existing(found, 'mailbox').id;
}
