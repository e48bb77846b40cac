import type { Desk } from '../desk.js';
import { addMailbox } from '../desk-records.js';
import { eventually } from '../eventually.js';
import { type TestContext, onTestFinished } from 'vitest';
import { type ImapTls, ImapServer } from './server.js';

const WITHIN = { withinMs: 25_000 };

interface OfTest {
  readonly tls?: ImapTls;
  readonly test?: Pick<TestContext, 'onTestFinished'>;
}

/** A mailbox of one test and the IMAP server from which it may be fetched. */
export class ImapMailbox {
  private constructor(
    private readonly desk: Desk,
    readonly server: ImapServer,
    readonly id: string,
    readonly name: string,
  ) {}

  static async add(desk: Desk, tls?: ImapTls): Promise<ImapMailbox> {
    const [server, { id, name }] = await Promise.all([ImapServer.start(tls), addMailbox(desk)]);
    return new ImapMailbox(desk, server, id, name);
  }

  /** Ends with the test, which a concurrent one names. */
  static async ofTest(desk: Desk, { tls, test = { onTestFinished } }: OfTest = {}): Promise<ImapMailbox> {
    const mailbox = await ImapMailbox.add(desk, tls);
    test.onTestFinished(() => mailbox.stop());
    return mailbox;
  }

  get path(): string {
    return `/v1/mailboxes/${this.id}/imap`;
  }

  async imap() {
    return (await this.desk.client().get(this.path)).body.imap;
  }

  save(changes: object = {}) {
    return this.desk.client().put(this.path, { ...this.server.settings, ...changes });
  }

  ticketOf(email: string) {
    const path = `/v1/tickets?customer=${email}`;
    return eventually(async () => (await this.desk.client().get(path)).body.tickets[0], WITHIN);
  }

  inState(state: string) {
    return eventually(async () => {
      const found = await this.imap();
      return found.state === state && found;
    }, WITHIN);
  }

  async connect(): Promise<void> {
    await this.save();
    await this.inState('connected');
  }

  async disconnect(): Promise<void> {
    await this.desk.client().delete(this.path);
  }

  async arrivals(): Promise<{ state: string }[]> {
    const text = 'select state from arrivals where mailbox_id = $1 order by id';
    return (await this.desk.sql.query<{ state: string }>(text, [this.id])).rows;
  }

  async stop(): Promise<void> {
    await this.disconnect();
    await this.server.stop();
  }
}
