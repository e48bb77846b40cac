import { noteRestore, renumberEvents } from '#libs/events';
import { giveBackAll } from '#libs/webhooks';
import { command } from '../command.js';
import type { CommandContext } from '../command-context.js';
import { asSentence } from '../output.js';

const LOST = `What no command brings back:
- Tickets since the backup are gone, and their numbers will be given to others. Links to them lead elsewhere.
- Secrets, passwords and tokens are as they were: rotate again what was rotated or revoked because it had leaked.
- Attachments that were deleted since may be missing in the storage; those that were added since belong to nothing.
- Receivers have events that never happened here. Tell those who keep books by them the time of the backup.`;

export const restoredCommand = command('restored', restored)
  .description('say that the database was put back from a backup; once, before the processes start again')
  .option('--json', 'print JSON')
  .addHelpText('after', '\nThe whole drill is in docs/operations.md, under “Backup and restore”.');

async function restored({ database, accounts, clock }: CommandContext) {
  const now = clock.now();
  await noteRestore(database.system(), now);
  let renumbered = 0;
  for (const { id } of await accounts.list()) renumbered += await renumberEvents(database.account(id));
  const owed = await giveBackAll(database.system(), now);
  return asSentence(
    `Cursors of /v1/events and /v1/changes from before are refused from now on, with what to do.
${owed} deliveries that were on their way are owed again, each under the same webhook-id.
${renumbered} events have been numbered anew for the feed.

${LOST}`,
    { owed, renumbered },
  );
}
