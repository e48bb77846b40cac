import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '#test/support/api-client.js';
import { eventually } from '#test/support/eventually.js';
import { flood } from '#test/support/imap/flood.js';
import { ImapServer } from '#test/support/imap/server.js';
import { seedAccount } from '#test/support/seed.js';
import type { SystemUnderTest } from './system-under-test.js';

/** Other faults may have stopped everything at the same time. */
const WITHIN = { withinMs: 60_000 };

/** Has a mailbox of another account read from an IMAP server that answers a search without end. */
export async function floodByMail({ apis, sql }: SystemUnderTest, durationMs: number): Promise<void> {
  const server = await ImapServer.start();
  let floods = 0;
  server.misdeed = (command, socket) => {
    if (command !== 'UID SEARCH') return false;
    floods += 1;
    flood(socket, '', '* OK x\r\n');
    return true;
  };
  const { mailbox, owner } = await eventually(() => sql(seedAccount), WITHIN);
  const path = `/v1/mailboxes/${mailbox.id}/imap`;
  const ask = (method: string, body?: object) =>
    eventually(async () => {
      for (const { base } of apis) {
        const { status } = await new ApiClient(base, owner.token).send(method, path, body);
        if (status < 300) return true;
      }
      return false;
    }, WITHIN);
  await ask('PUT', server.settings);
  await eventually(() => floods > 0, WITHIN);
  await delay(durationMs);
  await ask('DELETE');
  await server.stop();
}
