import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { deskWithPorts } from '#test/support/desk-for-file.js';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { mailText, postMail } from '#test/support/mails.js';
import { mailLines, talk } from '#test/support/smtp.js';

const LIMIT = { MAIL_UNKNOWN_SENDERS_MIB_PER_DAY: '1' };
const desk = deskWithPorts(['MAIL_PORT'], LIMIT);
let ports: readonly [number, number];
beforeAll(async () => {
  ports = [desk.settings.MAIL_PORT, await freePort()];
  await desk.apiProcess({ ...LIMIT, MAIL_PORT: `${ports[1]}` });
});

const mailOf = (kib: number, from: string): string =>
  `${mailText({ From: from })}${`${'x'.repeat(1022)}\r\n`.repeat(kib)}`;

interface Sent {
  readonly to: string;
  readonly kib: number;
  readonly from?: string;
  readonly port?: number;
}

/** Returns the last reply code: 250 if the mail was accepted. */
const send = async ({ to, kib, from = newEmail(), port = ports[0] }: Sent): Promise<string | undefined> =>
  (await talk(port, mailLines(from, [to], mailOf(kib, from)))).at(-1);

describe('a mailbox that has received much from unknown senders', () => {
  it('refuses them with 452 until the next day, and accepts customers', async () => {
    const { email: to } = await addMailbox(desk);
    const customer = newEmail();
    await startTicket(desk, { from: customer });

    expect(await send({ to, kib: 600 })).toBe('250');
    expect(await send({ to, kib: 600 })).toBe('452');
    expect(await send({ to, kib: 100 })).toBe('250');
    expect(await send({ to, kib: 600, from: customer.toUpperCase() })).toBe('250');
    expect(await send({ to: desk.account.mailbox.email, kib: 600 })).toBe('250');
    desk.clock.advance({ days: 1 });
    expect(await send({ to, kib: 600 })).toBe('250');
    desk.clock.advance({ days: -1 });
  });

  it('stores nothing of an email that it refuses', async () => {
    const { email: to } = await addMailbox(desk);
    const from = newEmail();

    expect(await send({ to, kib: 1100, from })).toBe('452');
    expect((await desk.sql.query('select from arrivals where envelope_from = $1', [from])).rowCount).toBe(0);
    expect((await desk.sql.query('select from stray_files')).rowCount).toBe(0);
  });

  it('refuses them at RCPT once the limit is used up', async () => {
    const { email: to } = await addMailbox(desk);
    await send({ to, kib: 1000 });
    await send({ to, kib: 22 });

    expect(await talk(ports[0], mailLines(newEmail(), [to], mailText()).slice(0, 2))).toEqual(['250', '452']);
  });

  it('counts the emails of several API processes together', async () => {
    const { email: to } = await addMailbox(desk);
    const sent = await Promise.all(Array.from({ length: 8 }, (_, n) => send({ to, kib: 300, port: ports[n % 2]! })));

    expect(sent.filter((code) => code === '250')).toHaveLength(3);
    expect(sent.filter((code) => code === '452')).toHaveLength(5);
  });

  it('reports no change of the mailbox when it counts mail', async () => {
    const { email: to } = await addMailbox(desk);
    const row = async () => {
      const columns = 'changed_in, unknown_senders_kib as kib';
      return (await desk.sql.query(`select ${columns} from mailboxes where email = $1`, [to])).rows[0];
    };
    const before = await row();

    expect(await send({ to, kib: 100 })).toBe('250');

    expect(await row()).toEqual({ changed_in: before.changed_in, kib: 101 });
  });

  it('accepts emails that clients post with a token', async () => {
    const { email: to } = await addMailbox(desk);
    await send({ to, kib: 1000 });

    expect((await postMail(desk, mailOf(600, newEmail()), { mailbox: to })).status).toBe(202);
  });
});
