import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { mailText } from '#test/support/mails.js';
import type { NextHop, ReceivedMail } from '#test/support/next-hop.js';
import type { SeededChoices } from '#test/support/seeded-choices.js';
import type { DeskStage } from './desk-agent.js';
import { MARK, type Written } from './desk-ledger.js';
import { MAILBOX } from './desk-people.js';

const CUSTOMERS = Array.from({ length: 16 }, (_, place) => `customer-${place}@client.test`);
const START_SHARE = 0.35;

/** Customers who write, and who answer what they got: to its signed address or by its Message-ID. */
export class DeskCustomers {
  constructor(
    private readonly stage: DeskStage,
    private readonly hop: NextHop,
    private readonly choices: SeededChoices,
  ) {}

  act(): Promise<void> {
    const received = this.hop.taken.filter(({ to }) => !to.endsWith('@acme.test'));
    return received.length === 0 || this.choices.isLikely(START_SHARE)
      ? this.start()
      : this.answer(this.choices.pick(received));
  }

  start(): Promise<void> {
    const one = this.stage.ledger.add('mail', null, () => []);
    this.stage.ledger.count('mails that start a ticket');
    return this.send(one, this.choices.pick(CUSTOMERS), {});
  }

  private async answer({ to, parsed }: ReceivedMail): Promise<void> {
    const { ledger, system } = this.stage;
    const mark = MARK.exec(parsed.text ?? '')?.[0] ?? '';
    // A forwarded ticket has a number of its own.
    const [found] = await system.sql<{ number: number }>(
      `select t.number from messages m join tickets t on t.id = m.ticket_id where m.plain_text_body like '${mark}%' limit 1`,
    );
    if (!found) return;
    const one = ledger.add('mail', ledger.written.get(mark)?.ticket ?? found.number, () => []);
    ledger.count('mails that answer');
    const headers = this.choices.isLikely(0.5)
      ? { To: parsed.replyTo![0]!.address! }
      : { 'In-Reply-To': parsed.messageId! };
    await this.send(one, to, headers);
  }

  /** Repeats until the product confirms the mail, as a mail server does. */
  private async send(one: Written, from: string, headers: { To?: string; 'In-Reply-To'?: string }): Promise<void> {
    const { system } = this.stage;
    const to = headers.To ?? `${MAILBOX}@acme.test`;
    const all = {
      From: from,
      To: to,
      Subject: `Question ${one.mark}`,
      'Message-ID': `<${one.mark}@client.test>`,
      ...headers,
    };
    const raw = mailText(all, `${one.mark} It is dark.`);
    for (;;) {
      const port = this.choices.pick(system.mailPorts);
      const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
      const isTaken = await transport.sendMail({ envelope: { from, to }, raw }).then(
        () => true,
        () => false,
      );
      if (isTaken) break;
      await delay(200);
    }
    one.outcome = 'accepted';
  }
}
