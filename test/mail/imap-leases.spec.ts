// @module-tag long
import { Clock, Database } from '#libs/database';
import { ImapLeasesService, ImapMailsService, LeaseLost } from '#libs/mailboxes';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { FilesService } from '#libs/tickets';
import { type TestContext, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { addMailbox, newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { workersKnowEachOther } from '#test/support/heartbeats.js';
import { ImapServer } from '#test/support/imap/server.js';
import { mailText } from '#test/support/mails.js';

/** A desk of one test, whose mailboxes are all fetched from one server. */
class LeasedDesk {
  private constructor(
    readonly desk: Desk,
    readonly server: ImapServer,
  ) {}

  static async start({ onTestFinished }: TestContext): Promise<LeasedDesk> {
    const [desk, server] = await Promise.all([startDesk(), ImapServer.start()]);
    onTestFinished(async () => {
      await desk.stop();
      await server.stop();
    });
    return new LeasedDesk(desk, server);
  }

  async fetchedMailbox(): Promise<void> {
    const { id } = await addMailbox(this.desk);
    await this.desk.client().put(`/v1/mailboxes/${id}/imap`, this.server.settings);
  }

  idling(count: number) {
    const { server } = this;
    return eventually(
      () => server.connections === count && server.commands.filter((one) => one === 'IDLE').length >= count,
      WITHIN,
    );
  }

  async arrivals(): Promise<{ state: string }[]> {
    return (await this.desk.sql.query<{ state: string }>('select state from arrivals order by id')).rows;
  }

  processed(count: number) {
    return eventually(async () => {
      const states = (await this.arrivals()).map(({ state }) => state);
      return states.filter((state) => state === 'processed').length === count;
    }, WITHIN);
  }
}

const WITHIN = { withinMs: 40_000 };

describe.concurrent('the lease of a mailbox', { timeout: 60_000 }, () => {
  it('moves to another worker when its worker dies, without duplicate emails', async (test) => {
    const leased = await LeasedDesk.start(test);
    const { desk, server } = leased;
    const first = await desk.worker();
    await leased.fetchedMailbox();
    await leased.idling(1);
    server.inbox.add(mailText({ From: newEmail() }));
    await leased.processed(1);
    await first.kill9();
    const second = await desk.worker();
    server.inbox.add(mailText({ From: newEmail() }));
    await leased.processed(2);
    await second.stop();

    expect(await leased.arrivals()).toHaveLength(2);
  });

  it('becomes free at once when its worker stops', async (test) => {
    const leased = await LeasedDesk.start(test);
    const { desk } = leased;
    const first = await desk.worker();
    await leased.fetchedMailbox();
    await leased.idling(1);
    await first.stop();
    const { rows } = await desk.sql.query('select lease from imap_accounts');

    expect(rows).toEqual([{ lease: null }]);
    expect(await leased.arrivals()).toEqual([]);
  });

  it('guards every write of the mailbox, including its emails', async (test) => {
    const leased = await LeasedDesk.start(test);
    const { desk } = leased;
    await leased.fetchedMailbox();
    const database = desk.api.get(Database, { strict: false });
    const settings = desk.api.get<Settings>(SETTINGS_TOKEN, { strict: false });
    const leases = new ImapLeasesService(database, new SecretBox(settings.SECRETS_KEY));
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
    expect(await leased.arrivals()).toEqual([]);
    await bring(present);
    expect(await leased.arrivals()).toHaveLength(1);
  });

  it('goes to each worker up to its share', async (test) => {
    const leased = await LeasedDesk.start(test);
    const { desk } = leased;
    const workers = [await desk.worker(), await desk.worker()];
    await workersKnowEachOther(desk);
    for (let count = 0; count < 4; count++) await leased.fetchedMailbox();
    await leased.idling(4);
    // A killed worker keeps its leases for a while, and cannot take those that the other one releases.
    await workers[1]!.kill9();
    await workers[0]!.stop();
    const text = 'select count(*)::int as left from imap_accounts where lease is not null';
    const { rows } = await desk.sql.query<{ left: number }>(text);

    expect(rows[0]!.left).toBeLessThan(4);
    expect(rows[0]!.left).toBeGreaterThan(0);
  });
});

async function* asyncPiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
