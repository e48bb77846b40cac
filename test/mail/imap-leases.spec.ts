import { Clock, Database } from '#libs/database';
import { ImapLeasesService, ImapMailsService, LeaseLost } from '#libs/mailboxes';
import { FilesService } from '#libs/tickets';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { addMailbox, newEmail } from '../support/desk-records.js';
import { eventually } from '../support/eventually.js';
import { ImapServer } from '../support/imap/server.js';
import { mailText } from '../support/mails.js';

let desk: Desk;
let server: ImapServer;
const mailboxes: { readonly id: string; readonly name: string }[] = [];
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());
beforeEach(async () => {
  server = await ImapServer.start();
  mailboxes.length = 0;
});
afterEach(async () => {
  for (const { id } of mailboxes) await desk.client().delete(`/v1/mailboxes/${id}/imap`);
  await server.stop();
});

async function fetchedMailbox(): Promise<void> {
  const mailbox = await addMailbox(desk);
  mailboxes.push(mailbox);
  await desk.client().put(`/v1/mailboxes/${mailbox.id}/imap`, server.settings);
}
const idling = (count: number) =>
  eventually(() => server.connections === count && server.commands.filter((one) => one === 'IDLE').length >= count, {
    withinMs: 40_000,
  });
const arrivals = async () => (await desk.sql.query('select state from arrivals order by id')).rows;
const understood = (count: number) =>
  eventually(async () => (await arrivals()).filter(({ state }) => state === 'understood').length === count, {
    withinMs: 40_000,
  });

describe('the lease of a mailbox', () => {
  it('moves to another worker when its worker dies, without duplicate mails', async () => {
    const first = await desk.worker();
    await fetchedMailbox();
    await idling(1);
    server.inbox.add(mailText({ From: newEmail() }));
    await understood(1);
    await first.kill9();
    const second = await desk.worker();
    server.inbox.add(mailText({ From: newEmail() }));
    await understood(2);
    await second.stop();

    expect(await arrivals()).toHaveLength(2);
  });

  it('becomes free at once when its worker stops', async () => {
    const before = (await arrivals()).length;
    const first = await desk.worker();
    await fetchedMailbox();
    await idling(1);
    await first.stop();
    const { rows } = await desk.sql.query('select lease from imap_accounts where id = $1', [mailboxes[0]!.id]);

    expect(rows).toEqual([{ lease: null }]);
    expect(await arrivals()).toHaveLength(before);
  });

  it('blocks writes by a worker that lost it', async () => {
    const before = (await arrivals()).length;
    const first = await desk.worker();
    await fetchedMailbox();
    await idling(1);
    first.signal('SIGSTOP');
    const second = await desk.worker();
    const sent = 5;
    for (let count = 0; count < sent; count++) server.inbox.add(mailText({ From: newEmail() }));
    await understood(before + sent);
    first.signal('SIGCONT');
    server.inbox.add(mailText({ From: newEmail() }));
    await understood(before + sent + 1);
    await Promise.all([first.stop(), second.stop()]);

    expect(await arrivals()).toHaveLength(before + sent + 1);
  });

  it('guards every write of the mailbox, including its mails', async () => {
    const before = (await arrivals()).length;
    await fetchedMailbox();
    const database = desk.api.get(Database, { strict: false });
    const leases = new ImapLeasesService(database);
    const files = desk.api.get(FilesService, { strict: false });
    const mails = new ImapMailsService(database, desk.api.get(Clock, { strict: false }), files);
    const [former] = await leases.claim(1, { freeForMs: 0 });
    await desk.sql.query("update imap_accounts set leased_until = now() - interval '1 second'");
    const [present] = await leases.claim(1, { freeForMs: 0 });
    const bring = async (held: typeof former) => {
      const stored = await mails.store(held!, asyncPiece(Buffer.from(mailText())));
      await mails.accept(held!, 0, { mails: [{ uid: 7, hash: stored.hash, stored, receivedAt: null }], upTo: 7 });
    };

    await expect(bring(former)).rejects.toBeInstanceOf(LeaseLost);
    expect(await arrivals()).toHaveLength(before);
    await bring(present);
    expect(await arrivals()).toHaveLength(before + 1);
  });

  it('goes to each worker up to its share', async () => {
    const workers = [await desk.worker(), await desk.worker()];
    await eventually(() => knowEachOther(workers.map(({ pid }) => pid)), { withinMs: 20_000 });
    for (let count = 0; count < 4; count++) await fetchedMailbox();
    await idling(4);
    // A killed worker keeps its leases for a while, and cannot take those that the other one releases.
    await workers[1]!.kill9();
    await workers[0]!.stop();
    const text = 'select count(*)::int as left from imap_accounts where lease is not null';
    const { rows } = await desk.sql.query<{ left: number }>(text);

    expect(rows[0]!.left).toBeLessThan(4);
    expect(rows[0]!.left).toBeGreaterThan(0);
  });
});

/** Heartbeats tell each worker the number of workers. Killed ones count for a day. */
async function knowEachOther(pids: readonly number[]): Promise<boolean> {
  const { rows } = await desk.sql.query<{ known: boolean }>(
    'select count(*) = 2 and min(seen_at) > max(started_at) as known from worker_heartbeats where pid = any($1)',
    [pids],
  );
  return rows[0]!.known;
}

async function* asyncPiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
