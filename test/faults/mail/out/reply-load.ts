import { setTimeout as delay } from 'node:timers/promises';
import type { MailSystem } from '../mail-system.js';

/** Long enough that each kind of fault hits some replies, however few there are. */
const LASTS_MS = 60_000;
const AT_ONCE = 16;
const TICKETS_EACH = 25;

export const markOf = (number: number): string => `mark-${number}-end`;

/** One in this many replies has a person in Cc. */
const CC_EVERY = 3;

/** Writes marked replies over REST, each until the product confirms it. */
export class ReplyLoad {
  /** The message of each number. */
  readonly written = new Map<number, string>();
  repeated = 0;
  private readonly tickets: number[] = [];

  constructor(
    private readonly system: MailSystem,
    private readonly seed: number,
  ) {}

  /** Alternates between the tickets of the mailboxes. */
  async prepare(mailboxes: readonly string[]): Promise<void> {
    for (let place = 0; place < TICKETS_EACH * mailboxes.length; place++) {
      const to = mailboxes[place % mailboxes.length];
      const wanted = { body: 'It does not work.', from: customerOf(place), to: `${to}@acme.test` };
      const { ticket } = await this.system.call<{ ticket: { number: number } }>('POST', '/v1/tickets', wanted);
      this.tickets.push(ticket.number);
    }
  }

  /** The recipients of a reply. */
  recipientsOf(number: number): string[] {
    return [customerOf(number % this.tickets.length), ...ccOf(number)];
  }

  async write(count: number): Promise<void> {
    const writers = Array.from({ length: AT_ONCE }, async (_, first) => {
      for (let number = first + 1; number <= count; number += AT_ONCE) {
        await delay((LASTS_MS * AT_ONCE) / count);
        await this.writeOne(number);
      }
    });
    await Promise.all(writers);
  }

  private async writeOne(number: number): Promise<void> {
    for (let attempt = 0; !this.written.has(number); attempt++) {
      const id = await this.postOrFind(number, `reply-${this.seed}-${number}-${attempt}`);
      if (id !== null) this.written.set(number, id);
    }
  }

  /** A key creates one reply, however often the call is repeated. Returns null if the reply needs another key. */
  private async postOrFind(number: number, key: string): Promise<string | null> {
    const way = `/v1/tickets/${this.tickets[number % this.tickets.length]}/messages`;
    for (;;) {
      const answer = await this.system.ask('POST', way, { body: { body: markOf(number), cc: ccOf(number) }, key });
      const { message, error } = (answer?.body ?? {}) as Written;
      if (message) return message.id;
      // An API was killed during the call: the caller has to check whether it took effect.
      if (error === 'outcome_unknown') return this.find(number);
      if (answer && answer.status < 500 && answer.status !== 409) throw new Error(JSON.stringify(answer));
      this.repeated += 1;
      await delay(200);
    }
  }

  private async find(number: number): Promise<string | null> {
    for (;;) {
      const text = `select id from messages where body = '${markOf(number)}'`;
      const rows = await this.system.sql<{ id: string }>(text).catch(() => null);
      if (rows) return rows[0]?.id ?? null;
      await delay(200);
    }
  }
}

const customerOf = (place: number): string => `customer-${place}@client.test`;

const ccOf = (number: number): string[] => (number % CC_EVERY === 0 ? [`copy-${number}@client.test`] : []);

interface Written {
  readonly message?: { readonly id: string };
  readonly error?: string;
}
