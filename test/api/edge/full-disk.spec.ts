// @module-tag long
import { afterAll, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';

const desk = await startDesk();
afterAll(() => desk.stop());

/** Raises PostgreSQL’s error for a full disk, without filling one. */
const FULL = `
  create function refuse_to_grow() returns trigger language plpgsql as $$
    begin
      raise 'could not extend file: No space left on device' using errcode = '53100';
    end $$;
  create trigger full_disk before insert on messages for each row execute function refuse_to_grow();
`;

it('answers writes with 503 while the disk is full, and still answers reads', async () => {
  const { number } = await startTicket(desk);
  const { mailbox } = desk.account;
  const write = () => [
    desk.client().post('/v1/tickets', { body: 'Hello', from: newEmail(), to: mailbox.email }),
    desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hello' }),
  ];
  await desk.sql.query(FULL);
  const refused = await Promise.all(write());
  const read = await desk.client().get(`/v1/tickets/${number}/messages`);
  await desk.sql.query('drop trigger full_disk on messages; drop function refuse_to_grow');

  for (const { status, body, headers } of refused)
    expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'disk_full', '60']);
  expect(read.body.messages).toHaveLength(1);
  expect((await Promise.all(write())).map(({ status }) => status)).toEqual([201, 201]);
});
