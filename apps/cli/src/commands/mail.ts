import { Conflict, NotFound } from '#libs/entities';
import type { CommandContext } from '../command-context.js';
import { command, commandGroup } from '../command.js';
import { asFields, asSentence } from '../output.js';

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
  if (!found) throw new NotFound('mailbox');
  return found.id;
}
