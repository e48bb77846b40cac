import { randomUUID } from 'node:crypto';
import { Database } from '#libs/database';
import { handOverMails } from '#libs/mail';
import { expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addMailbox, startTicket } from '#test/support/desk-records.js';

const desk = deskForFile({ settings: { SMTP_URL: 'smtp://127.0.0.1:9' } });

it('hands over an email only to the worker that has its lease', async () => {
  const { number } = await startTicket(desk, { mailbox: (await addMailbox(desk)).name as string });
  await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'It is on its way.' });
  const [earlier, current] = [randomUUID(), randomUUID()];
  const { rows } = await desk.sql.query("update outgoing_mails set lease = $1 where state = 'queued' returning id", [
    current,
  ]);
  const { id } = rows[0];
  const times = { now: desk.clock.now(), leasedUntil: desk.clock.in(30_000) };
  const handOver = async (lease: string) =>
    (await handOverMails(desk.api.get(Database).system(), [{ id, lease }], times)).has(id);

  expect(await handOver(earlier)).toBe(false);
  expect(await handOver(current)).toBe(true);
});
