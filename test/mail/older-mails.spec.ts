import { randomUUID } from 'node:crypto';
import { MIGRATIONS } from '#libs/database';
import { newReturnToken } from '#libs/tickets';
import type { QueryRunner } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { startTicket } from '../support/desk-records.js';
import { Mirror, differencesToApi } from '../support/mirror.js';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const SIGNED = `support+42.${newReturnToken()}@acme.test`;

const query = async (sql: string, values?: unknown[]) => (await desk.sql.query(sql, values)).rows;

async function migrate(): Promise<void> {
  const migration = MIGRATIONS.find(({ name }) => name.startsWith('RemoveTokensFromMails'))!;
  await new migration().up({ query } as unknown as QueryRunner);
}

interface Stored {
  readonly number: number;
  readonly messageId: string;
}

const read = async ({ messageId }: Stored) => (await desk.client().get(`/v1/messages/${messageId}`)).body.message;

/** Starts a ticket whose first message has a signed address, as older versions stored it. */
async function ticketWith(signed: string, isMail: boolean): Promise<Stored> {
  const { number } = await startTicket(desk, { body: `<p>To ${signed}</p>`, subject: `Re: ${signed}` });
  const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;
  const messageId = messages[0].id as string;
  if (isMail)
    await desk.sql.query(
      `insert into arrivals (id, account_id, mailbox_id, source, hash, size, state, ticket_id, message_id, due_at, created_at)
       select $1, account_id, $2, 'smtp', 'x', 1, 'processed', ticket_id, id, now(), now() from messages where id = $3`,
      [randomUUID(), desk.account.mailbox.id, messageId],
    );
  return { number, messageId };
}

describe('the migration of mails that came before', () => {
  it('removes the tokens of signed addresses, and clients that follow changes see it', async () => {
    const mirror = new Mirror(desk.client());
    const stored = await ticketWith(SIGNED, true);
    await mirror.catchUp(desk.sql);
    await migrate();
    await mirror.catchUp(desk.sql);
    const { ticket } = (await desk.client().get(`/v1/tickets/${stored.number}`)).body;
    const rows = await query('select safe_html as html from messages where id = $1', [stored.messageId]);

    expect(await differencesToApi(mirror, desk.client())).toEqual([]);
    expect(ticket).toMatchObject({ title: 'Re: support@acme.test', summary: 'To support@acme.test' });
    expect(await read(stored)).toMatchObject({
      body: '<p>To support@acme.test</p>',
      plain_text_body: 'To support@acme.test',
    });
    expect(rows).toEqual([{ html: '<p>To support@acme.test</p>' }]);
  });

  it('leaves ordinary addresses, and messages that were written over the API', async () => {
    const plain = await ticketWith('ana+news.2026@example.com', true);
    const written = await ticketWith(SIGNED, false);
    await migrate();

    expect((await read(plain)).body).toBe('<p>To ana+news.2026@example.com</p>');
    expect((await read(written)).body).toBe(`<p>To ${SIGNED}</p>`);
  });
});
